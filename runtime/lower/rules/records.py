"""The cells of records that several modules read, as `kernel/components/traits.py` and `kernel/components/until.py` have them."""

from __future__ import annotations

# Of a trait that a thing has: when it was gained.
TRAIT_STAMP = 5
# Of a rule for a while: when it began.
UNTIL_STAMP = 5
