"""Whole games, what they write down for the host, and what is counted over many of them."""
