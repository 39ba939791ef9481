"""`tale replay`: a saved game again, verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import orjson

from talewright.cli.compiling import search_option
from talewright.cli.exits import FINDINGS, OK
from talewright.cli.output import write_text
from talewright.cli.scenario import document_of


@click.command("replay")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--package", "path", metavar="PATH", help="The package of the game; by its name in the save by default.")
@click.option("--to", "last", metavar="N", type=click.IntRange(0), help="Stop after so many decisions.")
@click.option("--trace", is_flag=True, help="Show every action, rule, roll and choice.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@search_option
def command(file: Path, path: str | None, last: int | None, trace: bool, as_json: bool, search: tuple[str, ...]) -> int:
    """Play a saved game again, step by step, and check that it is the same game."""
    from talewright.runtime.faults import Fault, LoadError
    from talewright.runtime.saves import SaveError, load_file
    from talewright.runtime.session import Leave, resume

    try:
        save = load_file(file)
    except SaveError as error:
        raise click.UsageError(str(error)) from None
    document = document_of(path or save.package, search)
    if isinstance(document, int):
        return document
    count = len(save.decisions) if last is None else min(last, len(save.decisions))
    try:
        session = resume(document, save, traced=trace)
    except LoadError as error:
        raise click.UsageError(str(error)) from None
    except Fault as fault:
        raise click.ClickException(fault.message) from None
    session.script = session.script[:count]
    printer = _Printer(session, as_json, trace)
    session.game.listener = printer

    def beyond(decision: Any) -> int:
        raise Leave

    session.default = beyond
    try:
        outcome = session.run()
    except Leave:
        printer.line({"event": "stop", "decisions": len(session.decisions)}, f"stopped after {len(session.decisions)} decisions")
        if last is None and save.outcome is not None:
            write_text("The save says the game ended, but here it goes on.\n")
            return FINDINGS
        return OK
    except Fault as fault:
        printer.line({"event": "fault", "code": fault.code, "message": fault.message}, str(fault))
        return FINDINGS
    printer.line({"event": "end", "outcome": outcome, "decisions": len(session.decisions)}, f"ended: {outcome}, {len(session.decisions)} decisions")
    if save.outcome is not None and save.outcome != outcome:
        write_text(f"The save says it ended with {save.outcome}.\n")
        return FINDINGS
    return OK


class _Printer:
    """Writes what happens, as text or as JSON lines."""

    def __init__(self, session: Any, as_json: bool, trace: bool) -> None:
        self.session = session
        self.as_json = as_json
        self.trace = trace
        self.count = 0

    def line(self, event: dict[str, Any], text: str) -> None:
        """One event."""
        write_text((orjson.dumps(event).decode() if self.as_json else text) + "\n")

    def __call__(self, kind: str, detail: Any) -> None:
        if kind == "decide":
            self.count += 1
            name, who, label = detail
            self.line({"event": "decision", "number": self.count, "id": name, "by": who, "option": label}, f"{self.count:>4}  {name}  {who}: {label}")
        elif not self.trace:
            return
        elif kind == "say":
            self.line({"event": "say", "text": detail}, f"      \"{detail[:100]}\"")
        elif kind == "write":
            depth, cell, before, after, owner = detail
            of = f" of {self.session.game.title(owner)}" if owner is not None else ""
            name = cell.partition(":")[2]
            self.line({"event": "write", "cell": name, "before": before, "after": after, "of": of[4:]}, f"      {'  ' * depth}{name}{of} {before} -> {after}")
        elif kind == "rule":
            depth, at, bearer = detail
            spots = self.session.program.document["sources"]
            file, line = spots["spots"][at][:2]
            self.line({"event": "rule", "file": spots["files"][file], "line": line}, f"      {'  ' * depth}rule {spots['files'][file]}:{line}")
        elif kind == "roll":
            self.line({"event": "roll", "what": detail[0], "result": detail[1]}, f"      roll {detail[0]}: {detail[1]}")
        else:
            depth, action, args = detail[:3]
            shown = self._arguments(action, args)
            self.line({"event": kind, "action": action, "arguments": shown}, f"      {'  ' * depth}{kind} {action.partition('/')[0]} {' '.join(shown)}".rstrip())

    def _arguments(self, action: str, args: tuple[Any, ...]) -> list[str]:
        from talewright.report.reasons import _shown

        return [_shown(self.session.game, action, index, value) for index, value in enumerate(args)]
