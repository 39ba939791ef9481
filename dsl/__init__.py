"""From Tale text to syntax trees.

- `packages`: finds packages, reads their manifests and files
- `grammar`: the grammar, its lexer and its parser
- `build`: makes nodes while the parser reduces
- `tree`: the nodes
- `recovery`: texts with mistakes: names each mistake, saves the rest
- `format`: the one layout, for `tale fmt`

`parser` is the entry: text in, tree and findings out; `remembered` spares it unchanged declarations. All use `source`.
"""
