"""Why things are as they are in a game.

- `reasons`: why a number is what it is, why something is offered or refused
- `certainty`: what can be told to a seat without giving away what is hidden
- `trace`: what happened, event by event
"""
