"""`tale play` at the player's side.

- `player`: what is shown and what can be typed; `screen`: styled lines in the width of the terminal
- `answers`: options in words, `look` and `why`; `news`: what happened since somebody last looked; `table_changes`: what of the
  table somebody has not seen yet
- `remote_seats`: seats played from elsewhere; `reception`: who is let in; `save_files`: where games are kept
"""
