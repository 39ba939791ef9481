"""The `tale` command.

- `main`: the entry; turns whatever happens into one of `exit_codes`
- `command_table`: the commands; `commands/` has a module for each
- `terminal/`: what a player sees and types in `tale play`
- `package_options`, `path_arguments`, `chosen_package`: options and arguments that commands share
- `document_files`: compiled documents in place of a package
- `imagining_bots`: what bots that look ahead need to know of a game, and what they know too much
- `output`: writing to the terminal and to files; `help_page`: the pages of `--help`; `version`: of the toolkit
"""
