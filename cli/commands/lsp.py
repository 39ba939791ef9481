"""`tale lsp`: the language server for editors."""

from __future__ import annotations

import click

from talewright.cli.help_page import Command
from talewright.cli.version import VERSION

EXAMPLES = {
    "tale lsp": "For editors, which start it themselves; see docs/editors.md.",
}


@click.command("lsp", cls=Command, examples=EXAMPLES)
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, as always.")
def command(stdio: bool) -> int:
    """Serve an editor over standard input and output (the Language Server Protocol)."""
    try:
        from talewright.lsp.server import Server
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise click.UsageError(
            "The language server needs the extra `editor`; from the folder of the clone: pip install '.[editor]'"
        ) from None
    return Server(VERSION).run()
