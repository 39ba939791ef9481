"""What people and tools read.

- `findings`: findings about packages, in every format
- `graph`: the story graph
- `table`: the table as one seat sees it
- `explain`: why a number is what it is, and what happened
- `playtest`: many games by bots, and their statistics
- `testing`: outcomes of tests written in Tale
"""
