"""What some builds have besides the game: counters, traces, tests, switches, and the advice for bots."""
