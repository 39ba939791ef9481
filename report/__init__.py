"""What people and tools read.

- `findings`: findings about packages, in every format
- `graph`: the story graph
- `table`: the table as one seat sees it, set for a terminal
- `explain`: why a number is what it is, and what happened
- `wording`: effects and rules in plain words
- `playtest`: many games by bots, and their statistics
- `testing`: outcomes of tests written in Tale
- `source_places`: where something stands in the text of a package
"""
