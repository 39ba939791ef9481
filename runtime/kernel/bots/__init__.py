"""Bots: what they choose, how hidden cards are dealt anew for them, and how they search."""
