"""The `tale` command."""
