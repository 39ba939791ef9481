"""`python -m talewright.cli` is `tale`."""

from talewright.cli.main import entry

entry()
