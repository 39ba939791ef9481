"""Expressions: resolved, typed and lowered.

- `name_resolution`: what a word means where it stands; `membership`: what stands behind a dot or `of`
- `literals`, `interpolation`: literals, and texts with `{expression}` inside
- `operators`, `queries`, `function_calls`
- `conversions`: the entry, and conversions to the type that a place asks for
"""
