"""The table of commands; each one's module is imported when it is called."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module

import click
from click import Group as ClickGroup

from talewright.cli.version import VERSION

# Name, module under talewright.cli.commands, what it does. The order is the one of the help page.
COMMANDS = (
    ("list", "list", "Name the bundled games."),
    ("new", "new", "Make a package that lints, tests and plays at once."),
    ("lint", "lint", "Show every finding of every file."),
    ("fmt", "fmt", "Put files into the one layout."),
    ("explain", "explain", "Say why a finding exists, or how the cards of a package read."),
    ("compile", "compile", "Write the intermediate document, or check one."),
    ("test", "test", "Run the tests written in the language."),
    ("graph", "graph", "Draw the story graph."),
    ("play", "play", "Play in the terminal, with any mix of people and bots."),
    ("join", "join", "Play a seat of a game that runs elsewhere."),
    ("replay", "replay", "Play a saved game again, verified."),
    ("lsp", "lsp", "Serve an editor: findings, names and completion as you type."),
    ("watch", "watch", "After each save: lint, the tests it can touch, and the game at hand again."),
    ("playtest", "playtest", "Let bots play many games, with statistics."),
)
_MODULES = {name: module for name, module, _ in COMMANDS}


class Commands(ClickGroup):
    """A group that knows its commands by name and imports only the one that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return [name for name, _, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in _MODULES:
            return None
        command: click.Command = import_module(f"talewright.cli.commands.{_MODULES[cmd_name]}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, _, about in COMMANDS])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name, or an error that offers a near one."""
        if args and args[0] not in _MODULES and not args[0].startswith("-"):
            close = get_close_matches(args[0], _MODULES, 1)
            offer = f" Did you mean `{close[0]}`?" if close else ""
            ctx.fail(f"There is no command `{args[0]}`.{offer}")
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, message="tale %(version)s")
def tale() -> None:
    """Write, check, play and measure narrative board games.

    PATH is a package folder, a file inside one, or the name of a bundled package.
    Exit codes: 0 clean, 1 findings or failures, 2 wrong usage or unreadable input, 3 a defect of the toolkit.
    """
