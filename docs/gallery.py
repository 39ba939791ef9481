"""Makes the pictures of the README and the gallery of bundled games from the real program.

python docs/gallery.py pictures        docs/images: a finding, the table, the report (this one needs Chromium)
python docs/gallery.py games [NAME]... docs/gallery: graph and report of each bundled adventure, some minutes
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import orjson
from rich.console import Console
from rich.text import Text

from talewright.cli.main import main as tale
from talewright.compiler import compile_package
from talewright.dsl.packages.loader import bundled_packages
from talewright.report.findings.as_human import show
from talewright.report.playtest.output.html_page import render
from talewright.report.table.tabletop import table_lines
from talewright.runtime import Game, load

DOCS = Path(__file__).resolve().parent
WIDTH = 92
SLIP = '\nWager second_evening "The Second Evening":\n    won: truth\n    lost: silense\n    left: truth\n'


@dataclass(frozen=True, slots=True)
class Shown:
    """How a bundled adventure is played for the gallery."""

    name: str
    games: int
    how: tuple[str, ...]


GALLERY = (
    Shown("salem-night", 200, ("--bot", "guided", "--players", "2")),
    Shown("blackmere", 40, ("--bot", "guided", "--players", "2")),
    Shown("witches_war", 40, ("--bot", "guided")),
    Shown("salt_ledger", 40, ("--bot", "guided", "--players", "2")),
    Shown("fistful", 40, ("--bot", "guided", "--players", "2")),
)


def finding_picture(folder: Path) -> None:
    """A finding as the terminal shows it: the slip of the README's first adventure."""
    with tempfile.TemporaryDirectory() as place, chdir(place):
        command = [sys.executable, "-m", "talewright.cli", "new", "moonlight"]
        subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
        with Path(place, "moonlight", "story.tale").open("a", encoding="utf-8") as file:
            file.write(SLIP)
        result = compile_package("moonlight", cache=False)
        console = _console()
        show(result.diagnostics, result.sources, console)
    _write(console, folder / "finding.svg", "tale lint moonlight")


def table_picture(folder: Path) -> None:
    """The table as a seat of a bundled game sees it."""
    document = compile_package(bundled_packages()["salem-night"]).document
    assert document is not None
    program = load(document, players=2)
    game = Game(program, seed=7, agent=lambda decision: 0)
    for _ in range(12):
        decision = game.next()
        assert decision is not None
        game.answer(decision, len(decision.options) - 1)
    decision = game.next()
    assert decision is not None
    console = _console()
    for line in table_lines(game.view(), decision.seat, WIDTH):
        console.print(line, soft_wrap=True)
    console.print(Text(f"\n{decision.who}: {decision.prompt or 'What now?'}", style="bold"))
    for number, option in enumerate(decision.options, 1):
        console.print(Text(f"  {number:>2}  {option.text()}"), soft_wrap=True)
    _write(console, folder / "table.svg", "tale play salem")


def report_picture(folder: Path) -> None:
    """The first screen of a report, in a real browser."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        print("gallery: there is no Chromium: the picture of the report stays as it is", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}",
             "--window-size=1000,900", f"--screenshot={folder / 'report.png'}", (DOCS / "gallery" / "salem-night.html").as_uri()],
            check=True, capture_output=True, timeout=300,
        )  # fmt: skip


def game_pages(shown: Shown, folder: Path) -> None:
    """The graph and the report of one adventure."""
    place = bundled_packages()[shown.name]
    assert tale(["graph", str(place), "-o", str(folder / f"{shown.name}.svg")]) == 0
    with tempfile.TemporaryDirectory() as made:
        result = Path(made) / "result.json"
        tale(["playtest", str(place), "--games", str(shown.games), *shown.how, "--json", str(result)])
        # Pages of the gallery stand alone: no source lies beside them.
        page = render(
            orjson.loads(result.read_bytes()), compile_package(place).document, lambda file, line: "", []
        )
    (folder / f"{shown.name}.html").write_text(page, "utf-8")


def _console() -> Console:
    return Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, highlight=False)


def _write(console: Console, path: Path, title: str) -> None:
    drawn = console.export_svg(title=title, unique_id=path.stem)
    # No font from elsewhere: the picture stands alone.
    path.write_text(re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL), "utf-8")


PICTURES: tuple[Callable[[Path], None], ...] = (finding_picture, table_picture, report_picture)


def main(arguments: Sequence[str]) -> int:
    """Makes what the arguments name."""
    match list(arguments):
        case ["pictures"]:
            for picture in PICTURES:
                picture(DOCS / "images")
        case ["games", *names]:
            for shown in GALLERY:
                if not names or shown.name in names:
                    game_pages(shown, DOCS / "gallery")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
