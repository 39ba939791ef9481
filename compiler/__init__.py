"""From syntax trees to a checked document."""
