"""`tale play`: a game in the terminal, with any mix of people and bots."""

from __future__ import annotations

import contextlib
import errno
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from talewright.cli.chosen_package import document_of, settings
from talewright.cli.commands.playtest_plan import BOTS
from talewright.cli.exit_codes import CLOSED_PIPE, DEFECT, FINDINGS, INTERRUPTED, OK
from talewright.cli.help_page import Command
from talewright.cli.output import called, write_text
from talewright.cli.package_options import search_option

if TYPE_CHECKING:
    from talewright.cli.terminal.news import Level

WHO = f"human, {', '.join(BOTS)} or remote"


class Hangup(BaseException):
    """The system asks the game to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


EXAMPLES = {
    "tale play night_ferry": "You take the first seat, bots the others.",
    "tale play night_ferry --seat p2=guided --seed 7": "A bot sits at `p2`; seed 7 makes the game repeatable.",
    "tale play night_ferry --seat p2=remote": "Somebody else plays `p2` with `tale join`.",
}


@click.command("play", cls=Command, examples=EXAMPLES)
@click.argument("path", metavar="PATH")
@click.option("--seed", metavar="N", type=int, help="The seed of the game; a fresh one by default.")
@click.option(
    "--players", metavar="N", type=int, help="How many seats; the least the game allows by default."
)
@click.option(
    "--set", "chosen", metavar="OPTION=VALUE", multiple=True, help="An option of the game; may be repeated."
)
@click.option(
    "--seat",
    "seated",
    metavar="SEAT=WHO",
    multiple=True,
    help=f"Who sits where: a seat, a role or `all` = {WHO} (also remote:PORT, remote:HOST:PORT). "
    "Where nobody is named, you take the first seat and bots the rest; `all=human` seats people everywhere.",
)
@click.option("--chapter", metavar="ID", help="Begin with another chapter.")
@click.option(
    "--load",
    "loaded",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Go on with a saved game.",
)
@click.option(
    "--campaign",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Begin with what earlier games have left there, and leave there what lasts of this one.",
)
@click.option(
    "--tell",
    "level",
    type=click.Choice(["less", "usual", "more"]),
    default="usual",
    show_default=True,
    help="How much is told of what happens: texts and choices alone, what was done, or every step.",
)
@search_option
def command(
    path: str, seed: int | None, players: int | None, chosen: tuple[str, ...], seated: tuple[str, ...],
    chapter: str | None, loaded: Path | None, campaign: Path | None, level: Level, search: tuple[str, ...],
) -> int:  # fmt: skip
    """Play a scenario. Type `help` in the game to see what you can say."""
    if loaded is not None and (seed is not None or players is not None or chosen or chapter is not None):
        raise click.UsageError(
            "A saved game keeps its seed, players, options and chapter: leave them out with --load"
        )
    document = document_of(path, search)
    if isinstance(document, int):
        return document
    from secrets import randbelow

    from talewright.cli.terminal.player import Terminal
    from talewright.cli.terminal.save_files import Chronicler, Keeper
    from talewright.runtime.faults import Fault, LoadError
    from talewright.runtime.session import Session, load, resume
    from talewright.runtime.session.bots import KERNEL
    from talewright.runtime.session.chronicle import CampaignError
    from talewright.runtime.session.saves import SaveError, load_file

    thinking = any(pair.partition("=")[2].strip() in KERNEL for pair in seated)
    # Seats that nobody is named for are played by bots that think.
    thinking = thinking or (not _all_named(seated) and _several(document, players, loaded))
    try:
        chronicler = Chronicler(campaign)
        if loaded is not None:
            session = resume(document, load_file(loaded), traced=True, bots=thinking)
            if session.changed:
                write_text(f"note: {session.changed}; it is played on by the rules as they are now\n")
        else:
            number = seed if seed is not None else randbelow(10**6)
            program = load(document, settings(chosen), players, traced=True, bots=thinking)
            session = Session(program, number, _chapter(chapter, document), chronicler.record)
    except (LoadError, SaveError, CampaignError) as error:
        raise click.UsageError(str(error)) from None
    except Fault as fault:
        raise click.ClickException(fault.message) from None
    parts = ["play", path, *(f"--seat={pair}" for pair in seated), *(f"--path={s}" for s in search)]
    again = f"{called()} {shlex.join(parts + ([] if campaign is None else [f'--campaign={campaign}']))}"
    terminal = Terminal(session, Keeper(session, loaded), path, again, chronicler, level)
    _seat_everybody(session, seated, terminal)
    return _play(terminal)


def _play(terminal: Any) -> int:
    """Runs the game; however it ends, nothing is lost."""
    from talewright.runtime.faults import Fault
    from talewright.runtime.session import Leave

    try:
        with _hangups():
            terminal.welcome()
            outcome = terminal.session.run()
            terminal.farewell(outcome)
            return OK
    except (Leave, EOFError):
        return _told(terminal, OK)
    except KeyboardInterrupt:
        return _told(terminal, INTERRUPTED)
    except Hangup as hangup:
        return _told(terminal, 128 + hangup.number)
    except (BrokenPipeError, ConnectionResetError):
        return _told(terminal, CLOSED_PIPE)
    except OSError as problem:
        _told(terminal, CLOSED_PIPE)
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        # The terminal itself is gone: it can be neither read nor written any more.
        return CLOSED_PIPE
    except Fault as fault:
        if fault.code == "R10" and terminal.session.replaying:
            raise click.ClickException(f"The saved game cannot be played again: {fault.message}") from None
        try:
            terminal.fault(fault)
        except OSError:
            return _told(terminal, FINDINGS)
        return FINDINGS
    except Exception:
        _told(terminal, DEFECT)
        raise


def _told(terminal: Any, code: int) -> int:
    """Saves the game and prints where, on a stream that still works."""
    lines = terminal.kept()
    text = "\n" + "\n".join(lines) + "\n"
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.write(text)
            stream.flush()
        except (OSError, ValueError):
            _silence(stream)
        else:
            break
    return code


def _silence(stream: Any) -> None:
    """Redirects a closed stream to the null device, so that the last flush cannot fail."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextlib.contextmanager
def _hangups() -> Iterator[None]:
    """Turns SIGINT, SIGHUP and SIGTERM into exceptions while a game runs, so that it can be saved."""
    heard = threading.Event()

    def hear(number: int, frame: Any) -> None:
        del frame
        heard.set()
        raise KeyboardInterrupt if number == signal.SIGINT else Hangup(number)

    names = ("SIGINT", "SIGHUP", "SIGTERM")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    try:
        before = [(number, signal.signal(number, hear)) for number in numbers]
    except ValueError:
        # Signals reach only the main thread.
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    woken = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    player = threading.get_ident()
    threading.Thread(target=_insist, args=(reading, player, heard), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(woken)
        os.close(writing)
        for number, handler in before:
            signal.signal(number, handler)


def _insist(reading: int, player: int, heard: threading.Event) -> None:
    """Sends a signal again if it came just before the program began to wait for input."""
    while number := os.read(reading, 1):
        while not heard.wait(0.2):
            signal.pthread_kill(player, number[0])
    os.close(reading)


def _chapter(chapter: str | None, document: dict[str, Any]) -> str | None:
    if chapter is None:
        return None
    known = [n["id"] for n in document["story"]["nodes"] if not n["ending"]]
    if chapter not in known:
        raise click.UsageError(f"There is no chapter `{chapter}`; there are {', '.join(known)}")
    return chapter


def _several(document: dict[str, Any], players: int | None, loaded: Path | None) -> bool:
    """Whether there may be more than one seat."""
    if players is not None or loaded is not None:
        return players != 1
    roles = [kind["role"] for kind in document["content"]["kinds"] if kind.get("role")]
    return sum(int(role["low"]) for role in roles) > 1


def _all_named(seated: tuple[str, ...]) -> bool:
    """Whether somebody was named for every seat at once."""
    return any(pair.partition("=")[0].strip().lower() == "all" for pair in seated)


def _seat_everybody(session: Any, seated: tuple[str, ...], terminal: Any) -> None:
    """Puts people and bots where they are wanted. Where nobody is named, the first seat is a person's, unless another one
    is, and bots play the rest."""
    from talewright.cli.terminal.remote_seats import WORD, Waiting
    from talewright.runtime.session.bots import bot

    program, person = session.program, terminal.person
    world = program.lowered.world
    title = program.nodes.package.title
    session.default = person
    seats = [world.thing(number) for number in program.seats.values()]
    for pair in seated:
        name, sign, who = (part.strip() for part in pair.partition("="))
        if not sign:
            raise click.UsageError(f"`--seat {pair}` has no `=`: write `--seat SEAT=WHO`, where WHO is {WHO}")
        wanted = name.lower()
        numbers = [
            t.number for t in seats
            if wanted in (t.id.lower(), t.kind.lower(), (world.kinds[t.kind].role.seat or "").lower())
        ]  # fmt: skip
        if wanted == "all":
            numbers = [t.number for t in seats]
        if not numbers:
            raise click.UsageError(f"There is no seat `{name}`; there are {', '.join(t.id for t in seats)}")
        for number in numbers:
            if who == "human":
                session.seats[number] = person
                continue
            kind, _, address = who.partition(":")
            if kind == WORD:
                told = world.thing(number).id
                waiting = Waiting(told, title, address, terminal)
                session.seats[number] = waiting
                terminal.remotes.append(waiting)
                continue
            try:
                session.seats[number] = bot(who, session.seed * 1000 + number)
            except ValueError:
                raise click.UsageError(f"Nobody called `{who}` can sit at `{name}`: it is {WHO}") from None
    free = [s.number for s in seats if s.number in program.taken_seats and s.number not in session.seats]
    if free and not any(seat is person for seat in session.seats.values()):
        session.seats[free.pop(0)] = person
    name = "guided" if program.thinks else "random"
    for number in free:
        session.seats[number] = bot(name, session.seed * 1000 + number)
    here = [s.number for s in seats if s.number in program.taken_seats or s.number in session.seats]
    terminal.watching = all(session.seats.get(seat, person) is not person for seat in here)
