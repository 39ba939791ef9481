"""What people and tools read.

- `findings`: findings about packages, in every format
- `graph`: the story graph
- `seen`: the table as one seat sees it
- `table`: prose set for a terminal
- `reasons`: why a number is what it is, and what happened
- `playtest`: many games by bots, and their statistics
- `testing`: outcomes of tests written in Tale
"""
