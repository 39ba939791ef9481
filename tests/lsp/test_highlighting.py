"""Highlighters know the words of the compiler, and colour bundled files as the compiler reads them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pygments import lex
from pygments.lexers import get_lexer_for_filename
from pygments.token import Error, Keyword, Name, Number, String

import talewright.scenarios
from talewright.dsl.grammar.indentation import Blocks
from talewright.dsl.grammar.lark_parser import parser
from talewright.dsl.grammar.reserved_words import DECLARATION_WORDS, RESERVED
from talewright.lsp.highlighting import textmate_grammar
from talewright.lsp.pygments_lexer import TaleLexer

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
BUNDLED = sorted(path for root in talewright.scenarios.__path__ for path in Path(root).rglob("*.tale"))
NAMES = {"NAME", "FUN"}
NUMBERS = {"INT", "DICE", "SIZE", "TARGET"}
CAPITALS = {"KIND", "KFUN", "CHAPTER"}
TEXTS = {"PROSE", "STRING"}
# Keywords here and names there, with the same words behind them: only the parse tells which.
BOTH = {"face_up", "face_down", "track", "open", "scene", "given"}
SIGNS = {"_NL", "_INDENT", "_DEDENT", "RULE_ID", "CMP", "TURN", "SPAN", "PIPE", "DOT"}


def sort_of_token(kind: str, text: str) -> str:
    """What a token of the compiler is, as far as a highlighter tells."""
    for kinds, sort in ((NAMES, "name"), (NUMBERS, "number"), (CAPITALS, "capital"), (TEXTS, "text")):
        if kind in kinds:
            return sort
    return "keyword" if text[:1].isalpha() and kind not in SIGNS else ""


@cache
def tokens_of_compiler(text: str) -> list[tuple[int, str, str]]:
    """Every token that the parser reads, by place; the parse tells the lexer what may stand where."""
    read: list[tuple[int, str, str]] = []
    whole: Any = parser().parser
    real = whole.lexer.postlexer

    class Watching(Blocks):
        def process(self, stream: Any) -> Any:
            def watched() -> Any:
                before = ""
                for token in stream:
                    # In the id of a decision (`answer draw.may: yes`) words of the language are parts of a name.
                    kind = "NAME" if before == "DOT" and token.type in ("MAY", "AGREED") else token.type
                    read.append((token.start_pos, kind, str(token)))
                    before = token.type
                    yield token

            return real.process(watched())

    whole.lexer.postlexer = Watching()
    try:
        parser().parse(text)
    finally:
        whole.lexer.postlexer = real
    return [
        (at, sort, said)
        for at, kind, said in read
        if (sort := sort_of_token(kind, said)) and said not in BOTH
    ]


def sorts_of_pygments(text: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for at, token, _ in TaleLexer().get_tokens_unprocessed(text):
        if token in Keyword:
            found[at] = "keyword"
        elif token in Number:
            found[at] = "number"
        elif token is Name.Class:
            found[at] = "capital"
        elif token in String:
            found[at] = "text"
        elif token in Name:
            found[at] = "name"
    return found


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_words_are_keywords(word: str) -> None:
    assert sorts_of_pygments(f"    x {word} y\n")[6] == "keyword"
    assert word in json.dumps(textmate_grammar())


def test_words_that_open_declarations_are_known() -> None:
    grammar = json.dumps(textmate_grammar())
    assert [word for word in DECLARATION_WORDS if word not in grammar] == []
    assert sorts_of_pygments("kind Boat\n")[0] == "keyword"
    assert sorts_of_pygments("    kind: Boat\n")[4] == "name"  # a field may be called so


def test_pygments_finds_the_lexer_by_file_name() -> None:
    assert get_lexer_for_filename("a.tale").name == "Tale"


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: "/".join(path.parts[-3:]))
def test_bundled_files_are_coloured_as_the_compiler_reads_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not [said for token, said in lex(text, TaleLexer()) if token is Error]
    coloured = sorts_of_pygments(text)
    wrong = Counter(
        (sort, coloured.get(at), said[:20])
        for at, sort, said in tokens_of_compiler(text)
        if coloured.get(at) != sort
    )
    assert not wrong


def test_the_textmate_grammar_is_the_one_that_is_made() -> None:
    made = json.loads((EXTENSION / "syntaxes" / "tale.tmLanguage.json").read_text(encoding="utf-8"))
    assert made == textmate_grammar(), (
        "run `python -m talewright.lsp.highlighting > editors/vscode/syntaxes/tale.tmLanguage.json`"
    )


def test_bundled_files_tokenise_with_textmate(tmp_path: Path) -> None:
    """The same comparison, with the library that VS Code uses."""
    if shutil.which("node") is None or not (EXTENSION / "node_modules" / "vscode-textmate").exists():
        pytest.skip("run `npm install` in editors/vscode first")
    wanted = [
        {"file": str(path), "tokens": tokens_of_compiler(path.read_text(encoding="utf-8"))}
        for path in BUNDLED
    ]
    (tmp_path / "wanted.json").write_text(json.dumps(wanted), encoding="utf-8")
    done = subprocess.run(
        ["node", str(EXTENSION / "test" / "grammar.mjs"), str(tmp_path / "wanted.json")],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
