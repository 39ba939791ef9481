"""Paragraphs of `docs/language.md` about words of the language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from talewright.compiler.symbols.core import FUNCTIONS, VERBS_BY_NAME
from talewright.dsl.grammar.reserved_words import DECLARATION_WORDS, RESERVED

PAGE = Path(__file__).parent / "language.md"
_ROW = re.compile(r"^\| `(?P<call>[^`]+)` \| (?P<does>[^|]+?) \|", re.MULTILINE)
_CODE = re.compile(r"`([^`]*)`")


@cache
def about(word: str) -> str:
    """What the page says about a reserved word, a word that opens a declaration, a core verb or a core function."""
    page = _page()
    if word in VERBS_BY_NAME or word in FUNCTIONS:
        rows = [row for row in _ROW.finditer(page) if re.match(rf"{word}\b", row["call"])]
        if rows:
            return "\n".join(f"- `{row['call']}`: {row['does'].strip()}" for row in rows)
    if word in RESERVED or word in DECLARATION_WORDS:
        return _paragraph(word)
    return ""


@cache
def _page() -> str:
    try:
        return PAGE.read_text(encoding="utf-8")
    except OSError:
        return ""


@cache
def _paragraphs() -> list[tuple[str, str]]:
    """Every paragraph of running text, with the heading it stands under; samples and tables are left out."""
    found: list[tuple[str, str]] = []
    heading = ""
    page = re.sub(r"```.*?```|<!--.*?-->", "\n\n", _part_for_writers(), flags=re.DOTALL)
    for block in re.split(r"\n[ \t]*\n|\n(?=- )", page):
        block = "\n".join(line for line in block.strip().splitlines() if not line.startswith("<a "))
        if block.startswith("#"):
            first, _, block = block.partition("\n")
            heading = re.sub(r"^#+ (\d+\. )?", "", first)
        if block and not block.startswith("|"):
            found.append((heading, block.strip()))
    return found


def _part_for_writers() -> str:
    """The chapters that say what to write; those behind say exactly what it means."""
    page = _page()
    return page[page.find("\n## 2. ") :].partition("\n## 20. ")[0]


def _paragraph(word: str) -> str:
    """The row of a table about a word, else the paragraph that says most about it."""
    row = next(
        (row for row in _ROW.finditer(_part_for_writers()) if re.match(rf"{word}\b", row["call"])), None
    )
    if row is not None:
        return f"`{row['call']}`: {row['does'].strip()}"
    best, weight = "", 0
    forms = "(?:die|dice)" if word == "die" else f"{word}s?"
    for heading, block in _paragraphs():
        codes = [re.findall(r"[a-z_]+", code) for code in _CODE.findall(block)]
        begins = any(code[:1] == [word] for code in codes)
        holds = any(word in code for code in codes)
        titled = re.search(rf"\b{forms}\b", heading, re.IGNORECASE) is not None
        bold = re.search(rf"\*\*(A |An |The )?`?{forms}\b[^*]*\*\*", block, re.IGNORECASE) is not None
        score = 12 * bold + 5 * begins + 3 * holds + 4 * (titled and (holds or bold)) + titled
        if score > weight:
            best, weight = block, score
    return best
