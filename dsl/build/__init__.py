"""Nodes from grammar rules, made while the parser runs.

`transformer` is given to the parser; it has one small method for each rule of the grammar.
The methods are grouped by what they build: `type_nodes`, `thing_nodes`, `rule_nodes`,
`statement_nodes`, `expression_nodes`. `node_parts` holds what they share.
"""
