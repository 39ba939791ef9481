"""How fast a package is linted, as ratios within one run: `python bench/lint.py [--quick]`."""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from packages import write_package

MEGABYTE = 1024.0


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, and the most it may be."""

    name: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def fails(self) -> bool:
        """Whether it is more than it may be."""
        return self.limit is not None and self.value > self.limit


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is generated, and how strictly it is judged."""

    lines: int
    files: int
    small: int
    large: int
    rounds: int
    parse_limit: float
    again_limit: float
    title_limit: float


FULL = Sizes(20_000, 100, 2_000, 40_000, 3, 3.0, 0.2, 0.15)
# Small packages are mostly start-up, and machines that run checks are busy: only real slips fail here.
QUICK = Sizes(4_000, 20, 1_000, 4_000, 2, 4.0, 0.75, 0.3)


class Bench:
    """Runs of the tool in processes of their own, with a cache folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        own = {"XDG_CACHE_HOME": str(self.cache), "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
        self.environment = kept | own

    def run(self, *command: str) -> float:
        """The processor time of one process; unlike the clock, it hardly minds a busy machine."""
        before = _children()
        whole = [sys.executable, *command]
        done = subprocess.run(whole, env=self.environment, capture_output=True, text=True)
        seconds = _children() - before
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return seconds

    def inside(self, part: str, package: Path) -> dict[str, float]:
        """What a part of this file measures in a process of its own."""
        command = [sys.executable, __file__, "--part", part, str(package)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True)
        return dict(json.loads(done.stdout))

    def lint(self, package: Path) -> float:
        """One `tale lint`."""
        return self.run("-m", "talewright.cli", "lint", str(package))

    def loaded(self, package: Path) -> float:
        """One lint with the cache in a process that has everything loaded."""
        return self.inside("cached", package)["seconds"]

    def forget(self) -> None:
        """Takes away all that earlier runs kept of packages; the parser's tables stay."""
        for kept in self.cache.glob("talewright/kept-*"):
            shutil.rmtree(kept)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def bare_parse(package: Path) -> dict[str, float]:
    """The seconds that Lark takes to build plain trees of all files."""
    from lark import Lark

    from talewright.dsl.grammar.lark_parser import GRAMMAR, Blocks

    blocks = Blocks()
    grammar = GRAMMAR.read_text(encoding="utf-8")
    given: dict[str, Any] = {"maybe_placeholders": True, "postlex": blocks}
    parser = Lark(grammar, parser="lalr", lexer="contextual", **given)
    blocks.watch(parser.terminals)
    texts = [path.read_text(encoding="utf-8") for path in sorted(package.glob("*.tale"))]
    begin = time.process_time()
    trees = [parser.parse(text) for text in texts]
    return {"seconds": time.process_time() - begin, "trees": len(trees)}


def whole_lint(package: Path) -> dict[str, float]:
    """The seconds of a lint without start-up, and the most memory it had, in megabytes."""
    from talewright.compiler import compile_package

    begin = time.process_time()
    compile_package(package, cache=False, document=False)
    seconds = time.process_time() - begin
    return {"seconds": seconds, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE}


def cached_lint(package: Path) -> dict[str, float]:
    """The seconds of a lint with the cache, once everything is loaded, as an editor would run it."""
    from talewright.compiler import compile_package
    from talewright.compiler.checks import all_checks
    from talewright.dsl.grammar.lark_parser import declarations_of

    all_checks()
    declarations_of(next(package.glob("ward_*.tale")).read_text(encoding="utf-8"))
    begin = time.process_time()
    compile_package(package, document=False)
    return {"seconds": time.process_time() - begin}


PARTS: dict[str, Callable[[Path], dict[str, float]]] = {
    "bare": bare_parse,
    "cached": cached_lint,
    "lint": whole_lint,
}


def change_body(package: Path, number: int) -> None:
    """Changes what an action does in one file."""
    path = package / "ward_003.tale"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("cheer q by 1", f"cheer q by {number + 2}", 1), encoding="utf-8")


def add_card(package: Path, number: int) -> None:
    """Adds a card to one file."""
    path = package / "ward_004.tale"
    card = f'\nGood spare_{number} "spare thing {number}":\n    worth: 1\n    use: cheer user by 1\n'
    path.write_text(path.read_text(encoding="utf-8") + card, encoding="utf-8")


def change_title(package: Path, number: int) -> None:
    """Changes the title of the first thing in one file."""
    path = min(package.glob("chapters/*.tale"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('":\n', f' {number}":\n', 1), encoding="utf-8")


def bundled(bench: Bench, folder: Path, rounds: int) -> tuple[float, float]:
    """The seconds of a first lint of a large bundled game, and of one after a title was changed."""
    games = Path(__file__).resolve().parent.parent / "scenarios"
    shutil.copytree(games, folder / "scenarios", ignore=shutil.ignore_patterns("replays", "baseline", "*.py"))
    package = folder / "scenarios" / "blackmere"
    first = []
    for _ in range(rounds):
        bench.forget()
        first.append(bench.lint(package))
    return min(first), again(bench.lint, package, change_title, rounds)


def again(
    lint: Callable[[Path], float], package: Path, change: Callable[[Path, int], None], rounds: int
) -> float:
    """The seconds of a lint right after one file was changed."""
    times = []
    for number in range(rounds):
        saved = package.parent / "saved"
        shutil.copytree(package, saved)
        change(package, number)
        times.append(lint(package))
        shutil.rmtree(package)
        saved.rename(package)
    return min(times)


def start_up(bench: Bench, rounds: int) -> float:
    """How many times longer `tale --version` takes than an empty Python."""
    bare = [bench.run("-c", "pass") for _ in range(rounds)]
    bench.run("-m", "talewright.cli", "--version")
    ours = [bench.run("-m", "talewright.cli", "--version") for _ in range(rounds)]
    return min(ours) / min(bare)


def measure(sizes: Sizes, folder: Path) -> list[Row]:
    """Every row of the table."""
    bench = Bench(folder)
    package = folder / "package"
    lines = write_package(package, sizes.lines, sizes.files)
    very_first = bench.lint(package)
    bare, cold = [], []
    for _ in range(sizes.rounds):
        bare.append(bench.inside("bare", package)["seconds"])
        bench.forget()
        cold.append(bench.lint(package))
    first, parse = min(cold), min(bare)
    same = min(bench.lint(package) for _ in range(sizes.rounds))
    body = again(bench.lint, package, change_body, sizes.rounds)
    card = again(bench.lint, package, add_card, sizes.rounds)
    bench.forget()
    loaded = bench.loaded(package)
    loaded_again = again(bench.loaded, package, change_body, sizes.rounds)
    memory = bench.inside("lint", package)["memory"]
    small, large = (_seconds(bench, folder, size, sizes.rounds) for size in (sizes.small, sizes.large))
    grown = large / small
    bundled_first, bundled_again = bundled(bench, folder, sizes.rounds)
    allowed = sizes.large * math.log(sizes.large) / (sizes.small * math.log(sizes.small))
    return [
        Row(f"bare parse of {lines} lines in {sizes.files} files", parse, "s"),
        Row("very first lint, parser tables built too", very_first, "s"),
        Row("first lint", first, "s"),
        Row("first lint / bare parse", first / parse, "x", sizes.parse_limit),
        Row("lines linted a second", lines / first, "/s"),
        Row("lint again, nothing changed / first lint", same / first, "x", sizes.again_limit),
        Row("lint again, one body changed / first lint", body / first, "x", sizes.again_limit),
        Row("lint again, one card added / first lint", card / first, "x", sizes.again_limit),
        Row("the same in a running process, one body changed", loaded_again / loaded, "x", sizes.again_limit),
        Row("first lint of Blackmere", bundled_first, "s"),
        Row("lint again, one title changed / that", bundled_again / bundled_first, "x", sizes.title_limit),
        Row("memory", memory, "MB", 1024),
        Row(f"growth from {sizes.small} to {sizes.large} lines / n log n", grown / allowed, "x", 1.0),
        Row("tale --version / python -c pass", start_up(bench, sizes.rounds * 4), "x", 6.0),
    ]


def _seconds(bench: Bench, folder: Path, size: int, rounds: int) -> float:
    package = folder / f"of_{size}"
    write_package(package, size, max(4, size // 200))
    return min(bench.inside("lint", package)["seconds"] for _ in range(rounds))


def main() -> int:
    """Measures, prints a table, and fails when a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small package and loose limits")
    parser.add_argument("--part", choices=sorted(PARTS), help=argparse.SUPPRESS)
    parser.add_argument("package", nargs="?", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part is not None:
        print(json.dumps(PARTS[given.part](given.package)))
        return 0
    with tempfile.TemporaryDirectory(prefix="tale-bench-") as folder:
        rows = measure(QUICK if given.quick else FULL, Path(folder))
    width = max(len(row.name) for row in rows)
    for row in rows:
        limit = f"  at most {row.limit:g}" if row.limit is not None else ""
        verdict = "  TOO MUCH" if row.fails else ""
        print(f"{row.name:<{width}}  {row.value:>9.2f} {row.unit:<3}{limit}{verdict}")
    return 1 if any(row.fails for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
