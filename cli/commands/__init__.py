"""One module for each command, imported when it runs; each holds a click command called `command`.

Beside them: `playtest_plan` (what a playtest is to do), `selected_tests` (what `tale test` runs), and
`templates/` of `tale new`.
"""
