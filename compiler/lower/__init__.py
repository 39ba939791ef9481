"""The second pass: each declaration resolved, typed and lowered to code of the document, in one walk.

- `elaborator`: the whole pass; `interfaces`: what its parts ask of each other
- `expressions/`: names, literals, operators, queries and calls of functions
- `action_calls`, `statements`, `rules`: what is done, and when
- `definitions`, `components`, `things`, `field_values`: what is declared
- `tale_tests`: tests written in the language
- `fact_recorder`: keeps what is found by file; `value_ties`: values of one name told apart by kind
"""
