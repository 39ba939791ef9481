"""`tale replay`: a saved game again, verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import orjson

from talewright.cli.chosen_package import document_of
from talewright.cli.exit_codes import FINDINGS, OK
from talewright.cli.help_page import Command
from talewright.cli.output import write_data, write_text
from talewright.cli.package_options import search_option

EXAMPLES = {
    "tale replay moonlight.save.json": "Plays the saved game again, and says whether it is the same game.",
    "tale replay moonlight.save.json --trace": "Shows every rule and roll, too.",
}


@click.command("replay", cls=Command, examples=EXAMPLES)
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--package", "path", metavar="PATH", help="The package of the game; by its name in the save by default."
)
@click.option("--to", "last", metavar="N", type=click.IntRange(0), help="Stop after so many decisions.")
@click.option("--trace", is_flag=True, help="Show every action, rule, roll and choice, also what lay hidden.")
@click.option("--seat", "seat", metavar="SEAT", help="Show only what this seat may know.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@search_option
def command(
    file: Path, path: str | None, last: int | None, trace: bool, seat: str | None, as_json: bool,
    search: tuple[str, ...],
) -> int:  # fmt: skip
    """Play a saved game again, step by step, and check that it is the same game."""
    from talewright.runtime.faults import Fault
    from talewright.runtime.session import Leave, resume
    from talewright.runtime.session.saves import SaveError, load_file

    try:
        save = load_file(file)
    except SaveError as error:
        raise click.UsageError(str(error)) from None
    document = document_of(path or save.package, search)
    if isinstance(document, int):
        return document
    try:
        session = resume(document, save, traced=True)
    except SaveError as error:
        raise click.UsageError(f"{file}: {error}") from None
    if last is not None:
        session.go_back_to(last)
    printer = _Printer(session.game, as_json, trace, _seat(session.game, seat))
    session.game.listener = printer
    if session.changed:
        printer.line({"event": "changed", "message": session.changed}, f"note: {session.changed}")
    session.default = _Beyond(save.error is None)
    try:
        outcome = session.run()
        if save.error is not None:
            session.game.measures()
    except Leave:
        count = len(session.decisions)
        printer.line({"event": "stop", "decisions": count}, f"stopped after {count} decisions")
        if last is None and (save.outcome is not None or save.error is not None):
            return _different(
                printer, f"the save says: {save.outcome or save.error}, but here the game goes on"
            )
        return OK
    except Fault as fault:
        return _broken(printer, fault, save.error)
    count = len(session.decisions)
    printer.line(
        {"event": "end", "outcome": outcome, "decisions": count}, f"ended: {outcome}, {count} decisions"
    )
    if last is None and save.outcome != outcome and (save.outcome is not None or save.error is not None):
        return _different(printer, f"the save says: {save.outcome or save.error}")
    return OK


def _broken(printer: _Printer, fault: Any, expected: str | None) -> int:
    """The game broke off: the error of the save again, or another one."""
    frames = [{"what": f.what, "file": f.file, "line": f.line} for f in fault.frames[-8:]]
    printer.line(
        {"event": "fault", "code": fault.code, "message": fault.message, "frames": frames}, str(fault)
    )
    if not printer.as_json:
        for frame in reversed(fault.frames[-8:]):
            write_text(f"  in {frame.what}, {frame.file}:{frame.line}\n")
    if expected is not None and str(fault) == expected:
        printer.line({"event": "same", "error": expected}, "the save broke off with the same error")
    return FINDINGS


def _different(printer: _Printer, text: str) -> int:
    printer.line({"event": "difference", "code": "R10", "message": text}, f"R10: {text}")
    return FINDINGS


class _Beyond:
    """The seat after the end of a save: it waits like a person, unless the game broke off."""

    def __init__(self, person: bool) -> None:
        self.person = person

    def __call__(self, decision: Any) -> int:
        from talewright.runtime.session import Leave

        raise Leave


def _seat(game: Any, name: str | None) -> Any:
    """The seat of a name; all of them where none is named."""
    if name is None:
        return "all"
    seats = {name.lower(): seat for name, seat in game.program.seats.items()}
    if name.lower() not in seats:
        raise click.UsageError(f"There is no seat `{name}`; there are {', '.join(seats)}")
    return seats[name.lower()]


class _Printer:
    """Writes what happens, as text or as JSON lines."""

    def __init__(self, game: Any, as_json: bool, trace: bool, seat: Any) -> None:
        from talewright.report.explain.trace import Teller

        self.game = game
        self.teller = Teller(game.view(), seat)
        self.as_json = as_json
        self.trace = trace

    def line(self, data: dict[str, Any], text: str) -> None:
        """One event."""
        if self.as_json:
            write_data(orjson.dumps(data).decode() + "\n")
        else:
            write_text(f"{text}\n")

    def __call__(self, kind: str, detail: Any) -> None:
        if (kind != "decide" and not self.trace) or kind == "stay":
            return
        self.teller.view = self.game.view()
        if self.teller.tells(detail):
            event = self.teller.event(kind, detail)
            self.line(event.data, event.text)
