"""Tale text: sources, grammar, syntax tree, layout."""
