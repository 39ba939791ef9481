"""The syntax tree.

- `nodes`: every node, with the offsets where it starts and ends
- `equivalence`: whether two trees mean the same
- `prose_literals`: texts between triple quotes
"""
