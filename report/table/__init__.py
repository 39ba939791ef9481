"""The table as one seat sees it, for the terminal.

`tabletop` draws it, `board_map` its maps, `effect_text` says what cards do, `choices` and `happenings` tell what was decided
and what came of it, `visibility` says what a seat may see, `prose` breaks texts into lines.
"""
