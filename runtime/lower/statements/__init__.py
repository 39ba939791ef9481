"""Statements: changes, calls of actions and of verbs of the core, effects, tracks, the story, things made in play."""
