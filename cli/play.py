"""`tale play`: a game in the terminal, with any mix of people and bots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from talewright.cli.compiling import search_option
from talewright.cli.exits import FINDINGS, OK
from talewright.cli.scenario import document_of, settings


@click.command("play")
@click.argument("path", metavar="PATH")
@click.option("--seed", metavar="N", type=int, help="The seed of the game; a fresh one by default.")
@click.option("--players", metavar="N", type=int, help="How many seats; the least the game allows by default.")
@click.option("--set", "chosen", metavar="OPTION=VALUE", multiple=True, help="An option of the game; may be repeated.")
@click.option("--seat", "seated", metavar="SEAT=WHO", multiple=True, help="Who sits where: a seat or role = human, random or explore.")
@click.option("--chapter", metavar="ID", help="Begin with another chapter.")
@click.option("--load", "loaded", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Go on with a saved game.")
@search_option
def command(
    path: str, seed: int | None, players: int | None, chosen: tuple[str, ...], seated: tuple[str, ...], chapter: str | None,
    loaded: Path | None, search: tuple[str, ...],
) -> int:  # fmt: skip
    """Play a scenario. Type `help` in the game to see what you can say."""
    document = document_of(path, search)
    if isinstance(document, int):
        return document
    from secrets import randbelow

    from talewright.cli.terminal import Terminal
    from talewright.runtime.faults import Fault, LoadError
    from talewright.runtime.program import Program
    from talewright.runtime.saves import SaveError, load_file
    from talewright.runtime.session import Leave, Session, resume

    try:
        if loaded is not None:
            session = resume(document, load_file(loaded), traced=True)
        else:
            number = seed if seed is not None else randbelow(10**6)
            session = Session(Program(document, settings(chosen), players, traced=True), number, _chapter(chapter, document))
    except (LoadError, SaveError) as error:
        raise click.UsageError(str(error)) from None
    except Fault as fault:
        raise click.ClickException(fault.message) from None
    terminal = Terminal(session, document)
    _seat_everybody(session, seated, terminal)
    terminal.welcome()
    try:
        outcome = session.run()
    except (Leave, KeyboardInterrupt, EOFError):
        terminal.leave()
        return OK
    except Fault as fault:
        terminal.fault(fault)
        return FINDINGS
    terminal.farewell(outcome)
    return OK


def _chapter(chapter: str | None, document: dict[str, Any]) -> str | None:
    if chapter is None:
        return None
    known = [n["id"] for n in document["story"]["nodes"] if not n["ending"]]
    if chapter not in known:
        raise click.UsageError(f"There is no chapter `{chapter}`; there are {', '.join(known)}")
    return chapter


def _seat_everybody(session: Any, seated: tuple[str, ...], terminal: Any) -> None:
    from talewright.runtime.bots import bot

    layout = session.program.layout
    session.default = terminal.person
    for pair in seated:
        name, _, who = pair.partition("=")
        numbers = [t.number for t in layout.things if t.kind in layout.seats and name.lower() in (t.id.lower(), t.kind.lower())]
        if not numbers:
            seats = ", ".join(t.id for t in layout.things if t.kind in layout.seats)
            raise click.UsageError(f"There is no seat `{name}`; there are {seats}")
        for number in numbers:
            if who == "human":
                session.seats[number] = terminal.person
            else:
                try:
                    session.seats[number] = bot(who, session.seed * 1000 + number)
                except ValueError as error:
                    raise click.UsageError(str(error)) from None
