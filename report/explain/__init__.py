"""Why things are as they are in a game.

`explanations` says why a value is what it is and why something cannot be done, `certainty` how sure a seat can be of it,
`trace` puts what happened into words.
"""
