"""Expressions: values, fields, sets and lists, dice, tables and texts, with the rules that modify them."""
