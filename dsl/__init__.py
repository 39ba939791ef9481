"""From Tale text to syntax trees.

- `packages`: finds packages, reads their manifests and files
- `grammar`, `build`, `tree`: the grammar with its lexer and parser; nodes, made while the parser reduces
- `recovery`: texts with mistakes: names each mistake, saves the rest; `closest_word` finds the name that was meant
- `format`: the one layout, for `tale fmt`

`parser` is the entry: text in, tree and `diagnostics` out, the findings. `remembered` spares it unchanged declarations. `source`,
`text_sanitizer`, `user_cache` and `digest` are for texts, what is shown of them, and what is kept between runs.
"""
