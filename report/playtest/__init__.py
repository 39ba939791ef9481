"""Many games by bots, and what they show.

- `run`: plays the games, in one process or many, and counts
- `statistics`: rates with intervals, comparison, expectations
- `output`: the result as text, page, charts and database
- `last_result`: what the last playtest knew, for editors
"""
