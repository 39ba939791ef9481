"""`python -m talewright` is `tale`."""

from talewright.cli.main import entry

entry()
