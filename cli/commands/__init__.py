"""One module for each command, imported when it runs; each holds a click command called `command`.

Beside them: `lint_run` (what `tale lint` does, without the command-line library), `playtest_plan`
(what a playtest is to do), `selected_tests` (what `tale test` runs), and `templates/` of `tale new`.
"""
