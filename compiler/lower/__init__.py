"""The second pass: each declaration resolved, typed and lowered to code of the document, in one walk.

- `elaborator`: builds the parts and lowers everything; `interfaces`: what they need of each other in a circle
- `expressions/`: names, literals, operators, queries and calls of functions
- `blocks`, `statements`, `branches`, `action_calls`, `rules`: what is done, and when
- `definitions`, `components`, `things`, `field_values`, `unnamed_declarations`, `tale_tests`: what is declared
- `definition_types`, `value_ties`, `action_overlaps`: types of definitions, and definitions of one name
- `fact_recorder`, `provenance`, `wordings`: what is found, by file; where code comes from; `reads "..."`
"""
