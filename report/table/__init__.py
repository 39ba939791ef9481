"""The table as one seat sees it.

- `visibility`: what a seat may see; everything here asks it
- `tabletop`: tracks, map, people, piles; `board_map`: the map in boxes
- `choices`: a choice as others hear of it
- `effect_text`: what a thing does, in the words of the package
- `prose`: prose set for a terminal
"""
