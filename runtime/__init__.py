"""The generic interpreter: plays a document, knows no game."""
