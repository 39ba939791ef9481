"""The evaluator: what expressions of the document are worth, one module for each group of nodes."""
