"""Restricted Python, translated to the low-level form: containers, decks, dice, lists, tokens, chance, and the driver."""
