"""What exists in one game, before anything is lowered.

`settings` settles options and seats, `world` numbers things, fields, containers and rules, `facts` finds out who writes what,
`types` says which cells a type needs, `layout` gives everything its address.
"""
