"""Texts with mistakes: each mistake gets a name, and the rest of the text is still read.

- `guards`: what is refused before parsing (binary, too long, tabs); `text_shape`: lines and brackets without grammar
- `repair`: parses declaration by declaration, mends or blanks bad lines, keeps offsets in a `draft`
- `parse_failure`: where and how a parse failed
- `recognisers` and `*_recognisers`: from a failure to a `verdict`, the named mistake
- `mistake`, `mistake_table` and `*_mistakes`: each mistake with its reason and samples
- `foreign_words`: words of other languages that would parse as names
"""
