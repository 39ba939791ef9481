"""How fast the language server is, as ratios within one run: `python bench/editor.py [--quick]`."""

from __future__ import annotations

import argparse
import gc
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from lint import Bench, Row
from lsprotocol import types as lsp

from talewright.dsl.packages.loader import packages_below
from talewright.lsp.annotations.requests import Annotations
from talewright.lsp.answers import Answers
from talewright.lsp.desk import Desk

SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"
GAME = SCENARIOS / "blackmere"
TYPED = 'abcdefghijklmnopqrstuvwxyz    \n:.,;(){}"#_0123456789A>'


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is edited, and how strictly it is judged."""

    edits: int
    long_run: int
    questions: int
    loose: float


FULL = Sizes(200, 2_000, 200, 1.0)
# Machines that run checks are busy: only real slips fail here.
QUICK = Sizes(15, 20, 20, 3.0)


class Author:
    """Somebody who edits the files of one package in an editor."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.desk = Desk()
        self.folder = folder
        self.chance = chance
        self.own = {str(path): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.tale"))}
        first = next(iter(self.own))
        self.cold = spent(lambda: self.send(first, self.own[first]))

    def send(self, path: str, text: str) -> None:
        """One keystroke: the text goes to the server, and all findings come back."""
        self.desk.open(Path(path).as_uri(), text)
        list(self.desk.publications())

    def edit(self) -> float:
        """The seconds until the findings after one random edit are there; the edit is taken back first."""
        path = self.chance.choice(list(self.own))
        new = edited(self.own[path], self.chance)
        seconds = spent(lambda: self.send(path, new))
        self.desk.close(Path(path).as_uri())
        return seconds

    def work(self) -> None:
        """One random edit, and what an editor asks for behind every keystroke."""
        path = self.chance.choice(list(self.own))
        uri = Path(path).as_uri()
        self.send(path, edited(self.own[path], self.chance))
        answers, document = Answers(self.desk), lsp.TextDocumentIdentifier(uri)
        beside = Annotations(answers)
        shown = lsp.Range(lsp.Position(0, 0), lsp.Position(60, 0))
        answers.semantic_tokens(lsp.SemanticTokensParams(document))
        answers.document_symbols(lsp.DocumentSymbolParams(document))
        answers.folding(lsp.FoldingRangeParams(document))
        answers.code_actions(lsp.CodeActionParams(document, shown, lsp.CodeActionContext([])))
        beside.inlay_hints(lsp.InlayHintParams(document, shown))
        beside.code_lenses(lsp.CodeLensParams(document))
        beside.document_links(lsp.DocumentLinkParams(document))
        self.desk.close(uri)


def edited(text: str, chance: random.Random) -> str:
    """The text after one keystroke, or after a line was deleted, doubled or commented."""
    at = chance.randrange(len(text) + 1)
    line = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at) if "\n" in text[at:] else len(text)
    match chance.randrange(7):
        case 0 | 1 | 2:
            return text[:at] + chance.choice(TYPED) + text[at:]
        case 3:
            return text[:at] + text[at + 1 :]
        case 4:
            return text[:line] + text[end + 1 :]
        case 5:
            return text[:end] + "  # a word in passing" + text[end:]
        case _:
            return text[:end] + "\n" + text[line:end] + text[end:]


def spent(work: Callable[[], object]) -> float:
    """The processor time of some work."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def at_most(values: list[float], share: float) -> float:
    """What so large a share of values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def memory() -> float:
    """The megabytes that this process holds now; where the system does not tell, the most it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def questions(author: Author, count: int) -> tuple[float, float]:
    """What hover and completion take at random places, in seconds: what all but one in twenty stay below."""
    answers = Answers(author.desk)
    hovers: list[float] = []
    completions: list[float] = []
    for _ in range(count):
        path = author.chance.choice(list(author.own))
        uri, text = Path(path).as_uri(), author.own[path]
        author.desk.open(uri, text)
        line = author.chance.randrange(text.count("\n") + 1)
        width = len(text.split("\n")[line])
        position = lsp.Position(line, author.chance.randrange(width + 1))
        document = lsp.TextDocumentIdentifier(uri)
        hovers.append(spent(lambda: answers.hover(lsp.HoverParams(document, position))))  # noqa: B023
        asked = lsp.CompletionParams(document, position)
        completions.append(spent(lambda: answers.completion(asked)))  # noqa: B023
    return at_most(hovers, 0.95), at_most(completions, 0.95)


def comments(author: Author, rounds: int) -> float:
    """The seconds after a comment was written at the end of a file in the middle of the package."""
    path = list(author.own)[len(author.own) // 2]
    times = [
        spent(lambda: author.send(path, f"{author.own[path]}# {number}\n"))  # noqa: B023
        for number in range(rounds)
    ]
    author.desk.close(Path(path).as_uri())
    return min(times)


def cold_lint(bench: Bench) -> float:
    """The seconds of a lint of Blackmere of which nothing is kept."""
    bench.forget()
    return bench.lint(GAME)


def say(what: str) -> None:
    """Tells what is being measured: a whole run takes minutes."""
    print(f"... {what}", file=sys.stderr, flush=True)


def measure(sizes: Sizes, folder: Path) -> list[Row]:
    """Every row of the table."""
    say("cold lint")
    bench = Bench(folder)
    bench.lint(GAME)  # the parser's tables are built by now
    lints = [cold_lint(bench)]
    chance = random.Random(21)
    say("a comment, hover, completion")
    author = Author(GAME, chance)
    comment = comments(author, 5)
    hover, completion = questions(author, sizes.questions)
    say(f"memory: {sizes.long_run} edits")
    for _ in range(sizes.long_run // 10):
        author.work()
    gc.collect()
    early = memory()
    for _ in range(sizes.long_run - sizes.long_run // 10):
        author.work()
    gc.collect()
    late = memory()
    packages = packages_below(SCENARIOS)
    times: list[float] = []
    for package in packages:
        say(f"edits of {package.name}")
        other = Author(package, chance)
        other.edit()  # the recovery of the parser is loaded by the first mistake
        times += [other.edit() for _ in range(max(1, sizes.edits // len(packages)))]
        lints.append(cold_lint(bench))
    # What is compared took turns, as the load of the machine changes.
    lint = at_most(lints, 0.5)
    loose = sizes.loose
    return [
        Row("cold lint of Blackmere, a process of its own", lint, "s"),
        Row("findings after a comment / cold lint", comment / lints[0], "x", 0.1 * loose),
        Row(
            f"{len(times)} random edits of all bundled packages / cold lint, median",
            at_most(times, 0.5) / lint,
            "x",
        ),
        Row("the same, p95", at_most(times, 0.95) / lint, "x", 0.08 * loose),
        Row("hover at random places, p95", hover, "s", 0.05 * loose),
        Row("completion at random places, p95", completion, "s", 0.05 * loose),
        Row(f"memory after {sizes.long_run} edits", late, "MB", 400),
        Row("more than after a tenth of them", late - early, "MB", 40),
    ]


def main() -> int:
    """Measures, prints a table, and fails when a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few edits and loose limits")
    parser.add_argument("--long-run", type=int, metavar="N", help="measure memory over so many edits")
    given = parser.parse_args()
    sizes = QUICK if given.quick else FULL
    if given.long_run:
        sizes = replace(sizes, long_run=given.long_run)
    with tempfile.TemporaryDirectory(prefix="tale-bench-") as folder:
        rows = measure(sizes, Path(folder))
    width = max(len(row.name) for row in rows)
    for row in rows:
        limit = f"  at most {row.limit:g}" if row.limit is not None else ""
        print(
            f"{row.name:<{width}}  {row.value:>9.3f} {row.unit:<3}{limit}{'  TOO MUCH' if row.fails else ''}"
        )
    return 1 if any(row.fails for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
