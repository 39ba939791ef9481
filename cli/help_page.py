"""Help pages of commands: options in groups, and examples at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click


class Command(click.Command):
    """A command whose help page ends with examples, and may show its options in groups.

    Attributes:
        examples: calls of the command, each with what it does.
        groups: headings, each with the names of its parameters; what stands in no group comes last.
    """

    def __init__(
        self,
        *arguments: Any,
        examples: Mapping[str, str],
        groups: Mapping[str, Sequence[str]] | None = None,
        **named: Any,
    ) -> None:
        super().__init__(*arguments, **named)
        self.examples = examples
        self.groups = groups or {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options, group by group, and the examples."""
        records = {
            parameter.name: record
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)) is not None
        }
        for heading, names in self.groups.items():
            with formatter.section(heading):
                formatter.write_dl([records.pop(name) for name in names])
        with formatter.section("Options"):
            formatter.write_dl(list(records.values()))
        with formatter.section("Examples" if len(self.examples) > 1 else "Example"):
            for call, what in self.examples.items():
                formatter.write(f"{'':>{formatter.current_indent}}{call}\n")
                formatter.indent()
                formatter.write_text(what)
                formatter.dedent()
