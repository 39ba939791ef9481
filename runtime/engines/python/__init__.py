"""Python from the low-level form: `emit` writes the source, `host` runs it. The fallback, and the oracle of tests."""
