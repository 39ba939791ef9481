"""Plays the games of a playtest; results never depend on where a game was played.

- `job`: what to play; `games`: plays it; `chunks`: games handed out together
- `workers`, `cluster`: other processes, other machines
- `journal`: batches written down, so that a run can be resumed; `failed_games`: saves of broken games
- `engine_counts`: games that the engine counts; `counter_names`: what its numbers stand for; `tally`: sums of many games
- `sweep`: the same games at each value of a setting; `own_bots`: bots from elsewhere
- `seat_counts`: with how many players a game begins at all
"""
