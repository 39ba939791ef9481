"""Decisions: who is asked among what, menus, payments, what can be done at any time, and what is possible now."""
