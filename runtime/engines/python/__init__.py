"""Python from the low-level form: `emit` writes the source, `ranges` knows the values that locals can have, `host` runs it. The
fallback, and the oracle of tests."""
