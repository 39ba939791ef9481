"""Expressions: resolved, typed and lowered.

- `dispatcher`: the entry; finds the part for each node, and makes a value fit the type that is wanted
- `name_resolution`: what a word means where it stands; `membership`: what stands behind a dot or `of`
- `literals`, `interpolation`: literals, and texts with `{expression}` inside
- `operators`, `queries`, `function_calls`
- `conversions`: one type as another, as the document writes it
"""
