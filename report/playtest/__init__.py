"""Many games by bots, and what they show."""
