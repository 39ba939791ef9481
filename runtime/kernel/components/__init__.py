"""What lies on a table: containers, decks, dice, tokens, traits, payments, and the chance that moves them."""
