"""`python -m talewright.cli` is `tale`."""

import sys

from talewright.cli.main import main

sys.exit(main())
