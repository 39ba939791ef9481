"""The types of Tale.

- `model`: what a field holds, a parameter takes and an expression gives
- `lookups`: lineage of kinds, fields, and which type fits where; the base of both passes
- `codes`: the findings of resolving and typing
"""
