"""The result of a playtest for readers.

- `plain_words`: findings in sentences; `as_text`: for a terminal
- `html_page`, `charts`, `templates/`: one page that needs nothing but itself
- `database`: the games in DuckDB
- `sweep_page`: the table and the page of `--vary`
"""
