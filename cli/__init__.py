"""The `tale` command.

- `main`: the entry; turns whatever happens into one of `exit_codes`
- `command_table`: the commands; `commands/` has a module for each
- `terminal/`: what a player sees and types in `tale play`
- `package_options`, `path_arguments`, `chosen_package`: options and arguments that commands share
- `output`: writing to the terminal and to files
"""
