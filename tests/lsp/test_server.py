"""Every request of the language server, asked by a real client over standard input and output."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from talewright.compiler.passes import compile_package
from talewright.compiler.symbols import core
from talewright.compiler.symbols.core import FUNCTIONS, VERBS_BY_NAME
from talewright.dsl.grammar.reserved_words import CORE_NAMES, DECLARATION_WORDS, RESERVED
from talewright.dsl.packages.loader import bundled_packages
from talewright.lsp.desk import Desk
from talewright.lsp.language_page import about, about_kind, about_property


def _beside(name: str, path: str) -> Any:
    """A module that lies among the tests; they are no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Editor = _beside("tale_test_editor", "editor.py").Editor
edited = _beside("tale_test_edits", "../compiler/edits.py").edited

MANIFEST = 'name = "pier"\nversion = "0.1.0"\ntitle = "The Pier"\ntype = "system"\nuses = []\n'
KINDS = dedent(
    '''
    role Keeper 1..2 is Figure named p:
        breath: track 0..5 start 5
        satchel: pile of Book

    # Somewhere to stand.
    kind Room is Place:
        """A room with a view of the water."""
        wet: yes | no = no

    kind Book is Card:
        weight: 1..3 = 1

    Room hall "the Hall"
    Room vault "the Vault":
        wet: yes
    Book atlas "The Atlas":
        weight: 3
    '''
).lstrip()
RULES = dedent(
    """
    action game:
        for each k in Keeper: place k at hall
        fetch atlas by p1

    action fetch b: Book by k: Keeper:
        requires burden(k) + b.weight <= 4, "Too heavy."
        move b to k.satchel
        say "{k} takes {b}."

    before fetch b: say "A book is taken."

    value burden(k: Keeper) = total(k.satchel.weight)
    """
).lstrip()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "pier"
    folder.mkdir()
    (folder / "tale.toml").write_text(MANIFEST)
    (folder / "kinds.tale").write_text(KINDS)
    (folder / "rules.tale").write_text(RULES)
    return folder


@pytest.fixture
def start() -> Iterator[Callable[..., Any]]:
    """Starts servers of a test's own, with open folders."""
    started: list[Any] = []

    def begin(*folders: Path) -> Any:
        started.append(Editor(*folders))
        return started[-1]

    yield begin
    for editor in started:
        editor.stop()


@pytest.fixture(scope="module")
def one_server() -> Iterator[Any]:
    editor = Editor()
    yield editor
    editor.stop()


@pytest.fixture
def editor(package: Path, one_server: Any) -> Iterator[Any]:
    """A server that many tests share, each with a package of its own; starting one takes seconds."""
    yield one_server
    shutil.rmtree(package, ignore_errors=True)
    one_server.close_all()
    one_server.settle()
    one_server.shown.clear()


def at(text: str, mark: str, shift: int = 0) -> lsp.Position:
    """The position of the first place where a text says something."""
    offset = text.index(mark) + shift
    return lsp.Position(text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1))


def document(uri: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(uri)


def words_at(locations: object, texts: dict[str, str]) -> list[tuple[str, int, str]]:
    """Locations as file, line and the text that stands there."""
    made = []
    for location in locations:  # type: ignore[attr-defined]
        name = location.uri.rsplit("/", 1)[1]
        line = texts[name].split("\n")[location.range.start.line]
        made.append(
            (
                name,
                location.range.start.line,
                line[location.range.start.character : location.range.end.character],
            )
        )
    return made


TEXTS = {"kinds.tale": KINDS, "rules.tale": RULES}


def as_lint_says(folder: Path) -> set[tuple[str, str, int, int]]:
    found = compile_package(folder, cache=False, document=False).diagnostics
    return {(os.path.basename(d.span.file), d.code, d.span.line - 1, d.span.column - 1) for d in found}


def as_shown(editor: Any) -> set[tuple[str, str, int, int]]:
    return {
        (uri.rsplit("/", 1)[1], str(d.code), d.range.start.line, d.range.start.character)
        for uri, found in editor.shown.items()
        for d in found
    }


# ------------------------------------------------------------------ diagnostics
def test_findings_of_unsaved_texts(editor: Any, package: Path) -> None:
    uri = editor.open(package / "rules.tale")
    editor.settle()
    before = as_shown(editor)
    assert before == as_lint_says(package)
    editor.change(uri, RULES.replace("fetch atlas", "fetch atlass"))
    editor.settle()
    new = as_shown(editor) - before
    assert {code for _, code, _, _ in new} >= {"N201"}, new
    editor.close(uri)  # the disk counts again
    editor.settle()
    assert as_shown(editor) == before


def test_an_unsaved_text_is_seen_from_other_files(editor: Any, package: Path) -> None:
    rules, kinds = editor.open(package / "rules.tale"), editor.open(package / "kinds.tale")
    editor.settle()
    assert not any(d.severity == lsp.DiagnosticSeverity.Error for d in editor.shown.get(rules, []))
    editor.change(kinds, KINDS.replace("Book atlas", "Book almanac"))
    editor.settle()
    assert any("atlas" in d.message for d in editor.shown[rules])


def test_a_new_file_that_was_never_saved(editor: Any, package: Path) -> None:
    uri = editor.open(package / "rules.tale", RULES.replace("fetch atlas", "fetch herbal"))
    editor.settle()
    assert any("herbal" in d.message for d in editor.shown[uri])
    editor.open(package / "more" / "books.tale", 'Book herbal "A Herbal"\n')
    editor.settle()
    assert not any("herbal" in d.message for d in editor.shown[uri])
    assert not (package / "more").exists()


def test_a_manifest_broken_for_a_minute(editor: Any, package: Path) -> None:
    editor.open(package / "rules.tale")
    manifest = editor.open(package / "tale.toml")
    editor.settle()
    before = as_shown(editor)
    editor.change(manifest, 'name = "pier\n')
    editor.settle()
    assert editor.shown[manifest]
    hover = editor.client.text_document_hover_async(
        lsp.HoverParams(document((package / "rules.tale").as_uri()), at(RULES, "burden"))
    )
    assert editor.run(hover) is not None  # what was known before is still of use
    editor.change(manifest, MANIFEST)
    editor.settle()
    assert as_shown(editor) == before


def test_random_edits_give_what_lint_gives(start: Callable[..., Any], tmp_path: Path) -> None:
    """After each of many edits, the server's findings are those of a fresh compilation."""
    folder = tmp_path / "salem"
    shutil.copytree(bundled_packages()["salem"], folder)
    files = sorted(folder.rglob("*.tale"))
    editor = start(folder)
    random = Random(2121)
    uris = {path: editor.open(path) for path in files[:4]}
    for number in range(16):
        path = random.choice(list(uris))
        text = (
            edited(path.read_text(encoding="utf-8"), random, 1)
            if number % 3
            else path.read_text(encoding="utf-8")
        )
        editor.change(uris[path], text)
        editor.settle()
        path.write_bytes(text.encode("utf-8", "replace"))
        assert as_shown(editor) == as_lint_says(folder), (number, path.name)


# ------------------------------------------------------------------ names
def test_hover(editor: Any, package: Path) -> None:
    rules, kinds = editor.open(package / "rules.tale"), editor.open(package / "kinds.tale")

    def said(uri: str, text: str, mark: str, shift: int = 0) -> str:
        hover = editor.run(
            editor.client.text_document_hover_async(lsp.HoverParams(document(uri), at(text, mark, shift)))
        )
        return hover.contents.value if hover is not None else ""

    room = said(kinds, KINDS, "kind Room", 6)
    assert "kind Room is Place" in room
    assert "Somewhere to stand." in room
    assert "view of the water" in room
    assert "`hall`" in room
    assert "Used in 2 places." in room
    fetch = said(rules, RULES, "fetch atlas")
    assert "action fetch b: Book by k: Keeper" in fetch
    assert "1 rule acts on it" in fetch
    assert "weight: 1..3 = 1" in said(rules, RULES, "b.weight", 3)
    assert "field of `Book`" in said(rules, RULES, "b.weight", 3)
    assert "k: Keeper" in said(rules, RULES, "burden(k) +", 7)
    assert "The text after the comma is the reason" in said(rules, RULES, "requires")
    assert "into a container, or to a place" in said(rules, RULES, "move b")
    assert "action game" in said(rules, RULES, "game")


WORDS = sorted({*RESERVED, *DECLARATION_WORDS, *CORE_NAMES, *VERBS_BY_NAME, *FUNCTIONS})


@pytest.mark.parametrize("word", WORDS)
def test_every_word_of_the_language_has_its_paragraph(word: str) -> None:
    """The paragraph names the word as code, in bold or in a sample."""
    shown = re.findall(r"```.*?```|`[^`]*`|\*\*[^*]*\*\*", about(word), re.DOTALL)
    form = {"die": "dice"}.get(word, word)
    assert re.search(rf"\b({word}|{form})", " ".join(shown), re.IGNORECASE), about(word)


def test_every_property_and_kind_of_the_core_has_its_row() -> None:
    tables = [table for name, table in vars(core).items() if name.endswith("PROPERTIES")]
    assert len(tables) > 3
    assert [word for table in tables for word in table if f"`{word}`" not in about_property(word)] == []
    assert "where things stand" in about_kind("Place")


def test_hover_on_words_of_the_core(editor: Any, package: Path) -> None:
    text = (
        RULES
        + '\naction look k: Keeper:\n    if k.place is hall: say "Here"\n    let best = all Book where it in play\n'
    )
    uri = editor.open(package / "rules.tale", text)

    def said(mark: str, shift: int = 0) -> str:
        asked = lsp.HoverParams(document(uri), at(text, mark, shift))
        hover = editor.run(editor.client.text_document_hover_async(asked))
        return hover.contents.value if hover is not None else ""

    assert "where it stands" in said("k.place is", 3)
    assert "otherwise if" in said("if k.place")
    assert "stand before a set" in said("all Book")
    assert "the element of the query" in said("it in play")


def test_hover_on_what_is_no_name(editor: Any, package: Path) -> None:
    """Words of a type, parameters of an effect, fields of inline things, rules of the catalogue, words of a test."""
    text = RULES + dedent(
        """
        state tide: high | low = high
        kind Deed:
            price: 1..3 = 1
        kind Toll:
            price: 4..9 = 4
        # ------------------------------------ the trails
        kind Trail is Card:
            does: effect(who: Keeper)
            deed: list of Deed

        # About the whole file.

        Trail north "North":  # SK-1
            does: fetch atlas by who
            deed wade "Wade":
                price: 2
        test "t":
            covers WS-GOLD-01
            expect tide is low
        """
    )
    (package / "rules.yaml").write_text("rules:\n- {id: WS-GOLD-01, topic: gold, rule: Gold lies ready.}\n")
    (package / "tale.toml").write_text(MANIFEST + '[test]\ncovers = "rules.yaml"\n')
    uri = editor.open(package / "rules.tale", text)

    def said(mark: str, shift: int = 0) -> str:
        asked = lsp.HoverParams(document(uri), at(text, mark, shift))
        hover = editor.run(editor.client.text_document_hover_async(asked))
        return hover.contents.value if hover is not None else ""

    assert "state tide: high | low" in said("is low", 4)
    assert "does: effect(who: Keeper)\n" in said("by who", 4)
    price = said("price: 2", 1)
    assert "field of `Deed`" in price
    assert "Toll" not in price
    assert "Gold lies ready." in said("WS-GOLD", 2)
    assert "must hold now" in said("expect", 2)
    assert "the ids of the rules" in said("covers", 2)
    trail = said("Trail north", 6)
    assert "About the whole file" not in trail
    assert "SK-1" not in trail
    assert "-----" not in said("kind Trail", 6)
    asked = lsp.DefinitionParams(document(uri), at(text, "is low", 4))
    places = editor.run(editor.client.text_document_definition_async(asked))
    assert [place.range.start for place in places] == [at(text, "tide: high")]


def test_hover_on_a_finding_explains_it(editor: Any, package: Path) -> None:
    broken = RULES.replace("fetch atlas", "fetch atlass")
    uri = editor.open(package / "rules.tale", broken)
    editor.settle()
    hover = editor.run(
        editor.client.text_document_hover_async(lsp.HoverParams(document(uri), at(broken, "atlass", 2)))
    )
    assert hover is not None
    assert "N201" in hover.contents.value
    assert "But so:" in hover.contents.value


def test_definition_references_and_rules(editor: Any, package: Path) -> None:
    uri = editor.open(package / "rules.tale")
    client = editor.client

    def defined(mark: str, shift: int = 0) -> list[tuple[str, int, str]]:
        asked = lsp.DefinitionParams(document(uri), at(RULES, mark, shift))
        return words_at(editor.run(client.text_document_definition_async(asked)), TEXTS)

    assert defined("atlas") == [("kinds.tale", KINDS[: KINDS.index("atlas")].count("\n"), "atlas")]
    assert [w[2] for w in defined("k.satchel")] == ["k"]
    assert defined("k.satchel", 3)[0][::2] == ("kinds.tale", "satchel")
    assert defined("burden(k) +")[0][::2] == ("rules.tale", "burden")
    asked = lsp.ReferenceParams(lsp.ReferenceContext(True), document(uri), at(RULES, "fetch b: Book"))
    found = words_at(editor.run(client.text_document_references_async(asked)), TEXTS)
    assert [word for _, _, word in found] == ["fetch"] * 3
    acting = lsp.ImplementationParams(document(uri), at(RULES, "fetch atlas"))
    rules = words_at(editor.run(client.text_document_implementation_async(acting)), TEXTS)
    assert rules == [("rules.tale", RULES[: RULES.index("before fetch")].count("\n"), "fetch")]
    lit = lsp.DocumentHighlightParams(document(uri), at(RULES, "burden"))
    assert len(editor.run(client.text_document_document_highlight_async(lit))) == 2


def test_rename_reaches_texts_and_braces_and_other_files(editor: Any, package: Path) -> None:
    uri = editor.open(package / "rules.tale")
    editor.open(package / "kinds.tale")
    asked = lsp.RenameParams(document(uri), at(RULES, "b.weight", 3), "heft")
    edit = editor.run(editor.client.text_document_rename_async(asked))
    assert {u.rsplit("/", 1)[1]: len(edits) for u, edits in edit.changes.items()} == {
        "kinds.tale": 2,
        "rules.tale": 2,
    }
    local = lsp.RenameParams(document(uri), at(RULES, "b: Book"), "book")
    changes = editor.run(editor.client.text_document_rename_async(local)).changes
    assert len(changes[uri]) == 4  # the parameter, its weight, the move, and the words said


def test_rename_reaches_the_packages_that_use_it(start: Callable[..., Any], tmp_path: Path) -> None:
    """Asked in the system, it changes two adventures; neither was open in the editor."""
    (tmp_path / "pier").mkdir()
    (tmp_path / "pier" / "tale.toml").write_text(MANIFEST)
    (tmp_path / "pier" / "rules.tale").write_text("action game:\n    wade\naction wade:\n    nothing\n")
    for name in ("ebb", "flood"):
        folder = tmp_path / name
        folder.mkdir()
        manifest = (
            f'name = "{name}"\nversion = "0.1.0"\ntitle = "T"\ntype = "adventure"\nuses = ["pier >=0.1"]\n'
        )
        (folder / "tale.toml").write_text(manifest)
        (folder / "story.tale").write_text('Chapter one "One"\nafter wade: say "Wet."\n')
    editor = start(tmp_path)
    uri = editor.open(tmp_path / "pier" / "rules.tale")
    text = (tmp_path / "pier" / "rules.tale").read_text()
    asked = lsp.RenameParams(document(uri), at(text, "wade"), "splash")
    changes = editor.run(editor.client.text_document_rename_async(asked)).changes
    folders = {Path(each).parent.name: len(edits) for each, edits in changes.items()}
    assert folders == {"pier": 2, "ebb": 1, "flood": 1}


@pytest.mark.parametrize(
    ("mark", "new", "why"),
    [
        ("atlas", "Atlas", "begins with a small letter"),
        ("atlas", "two words", "is no name"),
        ("atlas", "otherwise", "word of the language"),
        ("atlas", "hall", "declared twice"),
        ("say", "tell", "no name here"),
    ],
)
def test_rename_refuses_what_would_break(editor: Any, package: Path, mark: str, new: str, why: str) -> None:
    uri = editor.open(package / "rules.tale")
    asked = lsp.RenameParams(document(uri), at(RULES, mark), new)
    with pytest.raises(JsonRpcException, match=why):
        editor.run(editor.client.text_document_rename_async(asked))


# ------------------------------------------------------------------ outline, folding, colours
def test_symbols_folding_and_tokens(editor: Any, package: Path) -> None:
    uri = editor.open(package / "rules.tale")
    client = editor.client
    outline = editor.run(client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document(uri))))
    assert [(s.name, s.detail) for s in outline] == [
        ("game", "action"), ("fetch", "action"), ("before fetch b: say \"A book is taken.\"", "rule"), ("burden", "value"),
    ]  # fmt: skip
    found = editor.run(client.workspace_symbol_async(lsp.WorkspaceSymbolParams("vlt")))
    assert [symbol.name for symbol in found] == ["vault"]
    folded = editor.run(client.text_document_folding_range_async(lsp.FoldingRangeParams(document(uri))))
    assert [(fold.start_line, fold.end_line) for fold in folded] == [(0, 2), (4, 7)]
    tokens = editor.run(
        client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document(uri)))
    )
    provider = editor.server.capabilities.semantic_tokens_provider
    types = provider.legend.token_types
    lines = RULES.split("\n")
    line = column = 0
    seen: dict[str, set[str]] = {}
    for index in range(0, len(tokens.data), 5):
        down, right, width, kind, _ = tokens.data[index : index + 5]
        line, column = line + down, right + (column if down == 0 else 0)
        seen.setdefault(lines[line][column : column + width], set()).add(types[kind])
    assert seen["fetch"] == {"method"}
    assert seen["atlas"] == {"variable"}
    assert seen["Keeper"] == {"class"}
    assert seen["k"] >= {"parameter"}
    assert seen["requires"] == {"keyword"}
    assert seen["weight"] == {"property"}
    assert seen["4"] == {"number"}


def test_formatting(editor: Any, package: Path) -> None:
    uri = editor.open(package / "rules.tale", RULES.replace("    move b", "    move  b"))
    options = lsp.FormattingOptions(4, True)
    asked = lsp.DocumentFormattingParams(document(uri), options)
    edits = editor.run(editor.client.text_document_formatting_async(asked))
    assert [edit.new_text for edit in edits] == [RULES]
    editor.change(uri, RULES + "kind is\n")
    assert not editor.run(editor.client.text_document_formatting_async(asked))


# ------------------------------------------------------------------ writing
def labels(editor: Any, uri: str, text: str, offset: int) -> dict[str, lsp.CompletionItem]:
    editor.change(uri, text)
    place = lsp.Position(text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1))
    found = editor.run(
        editor.client.text_document_completion_async(lsp.CompletionParams(document(uri), place))
    )
    return {item.label: item for item in found.items}


@pytest.mark.parametrize(
    ("written", "offered", "not_offered"),
    [
        ("kind Boat is ", {"Place", "Room"}, {"requires"}),
        ("Book herbal:\n    ", {"weight"}, {"wet"}),
        ("Book herbal:\n    we", {"weight"}, {"wet"}),
        ("Room cellar:\n    wet: ", {"yes", "no"}, set()),
        ("kind Boat:\n    seats: ", {"int", "Room"}, {"requires"}),
        ("action go k: Keeper:\n    k.", {"breath", "satchel", "place"}, {"weight"}),
        ("action go k: Keeper:\n    ", {"fetch", "move", "if", "k"}, set()),
        ("Ending dry\naction go:\n    go to ", {"dry"}, {"hall"}),
        ("Ending dry\nChapter one:\n    outcome:\n        otherwise -> ", {"dry"}, {"hall"}),
        ("before ", {"fetch"}, {"hall"}),
        ('test "t":\n    covers ', {"AB-1"}, {"fetch"}),
        ('Chapter one\ntest "t":\n    start ', {"one"}, {"hall", "fetch"}),
        ('test "t":\n    when ', {"fetch"}, set()),
        ("Chapter one:\n    cast:\n        2 Keeper at ", {"hall"}, {"fetch"}),
        ("", {"kind", "action", "Room"}, {"hall"}),
    ],
)
def test_completion_knows_the_place(
    editor: Any, package: Path, written: str, offered: set[str], not_offered: set[str]
) -> None:
    (package / "tests.tale").write_text('test "known":\n    covers AB-1\n    expect yes\n')
    uri = editor.open(package / "rules.tale")
    editor.change(uri, RULES + written)
    editor.settle()
    found = labels(editor, uri, RULES + written, len(RULES + written))
    assert offered <= set(found), sorted(found)[:60]
    assert not (not_offered & set(found))


def test_completion_of_verbs_brings_their_prepositions(editor: Any, package: Path) -> None:
    uri = editor.open(package / "rules.tale")
    written = RULES + "action go k: Keeper:\n    fe"
    found = labels(editor, uri, written, len(written))
    assert found["fetch"].insert_text == "fetch ${1:b} by ${2:k}"
    assert labels(editor, uri, RULES + 'action go:\n    say "fe', len(RULES) + 22) == {}


def test_signature_help(editor: Any, package: Path) -> None:
    written = RULES + "action go k: Keeper:\n    fetch atlas by "
    uri = editor.open(package / "rules.tale", written)
    end = lsp.Position(written.count("\n"), len(written) - (written.rfind("\n") + 1))
    asked = lsp.SignatureHelpParams(document(uri), end)
    found = editor.run(editor.client.text_document_signature_help_async(asked))
    assert found.signatures[found.active_signature].label == "fetch b: Book by k: Keeper"
    assert found.active_parameter == 2


def test_code_actions(editor: Any, package: Path) -> None:
    broken = RULES.replace("fetch atlas", "fetch atlass").replace("    move b", "    move  b")
    uri = editor.open(package / "rules.tale", broken)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    asked = lsp.CodeActionParams(document(uri), whole, lsp.CodeActionContext([]))
    found = editor.run(editor.client.text_document_code_action_async(asked))
    titles = {action.title for action in found}
    assert "Write `atlas`" in titles
    fixed = next(action for action in found if action.title == "Write `atlas`")
    assert [edit.new_text for edit in fixed.edit.changes[uri]] == ["atlas"]
    editor.change(uri, RULES.replace("    move b", "    move  b"))
    again = editor.run(editor.client.text_document_code_action_async(asked))
    assert any(action.kind == lsp.CodeActionKind.SourceFixAll for action in again)


def test_fixes_declare_what_belongs_there(editor: Any, package: Path) -> None:
    text = RULES + dedent(
        """
        kind Trail is Card:
            ends: list of Room
        Trail upper "Upper":
            ends: D7
        action go:
            splash
            if flooded: nothing
        Chapter one "One":
            outcome:
                otherwise -> 5D
        """
    )
    uri = editor.open(package / "rules.tale", text)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    asked = lsp.CodeActionParams(document(uri), whole, lsp.CodeActionContext([]))
    found = editor.run(editor.client.text_document_code_action_async(asked))
    added = {action.title: action.edit.changes[uri][0].new_text.strip() for action in found}
    assert added["Declare the Room `D7`"] == 'Room D7 "D7"'
    assert added["Declare the action `splash`"] == "action splash:\n    nothing"
    assert added["Declare the state `flooded`"] == "state flooded: yes | no = no"
    assert added["Declare the Chapter `5D`"] == 'Chapter 5D "5D"'


def test_implementations_of_values_and_help_for_core_and_traits(editor: Any, package: Path) -> None:
    text = RULES + "trait Strong(n: int):\n    modify burden(k) when k is self: - n\nmodify burden(k): + 1\n"
    text += 'Room mill "the Mill":\n    modify burden(k): + 2\n'
    uri = editor.open(package / "rules.tale", text)
    acting = lsp.ImplementationParams(document(uri), at(text, "burden(k) +"))
    found = editor.run(editor.client.text_document_implementation_async(acting))
    lines = [text.split("\n")[place.range.start.line].strip()[:14] for place in found]
    assert lines == ["modify burden("] * 3
    for written, label in (("value q = count(", "count(S)"), ("Book b is Strong(", "trait Strong(n: int)")):
        editor.change(uri, text + written)
        end = lsp.Position(text.count("\n"), len(written))
        asked = lsp.SignatureHelpParams(document(uri), end)
        help_ = editor.run(editor.client.text_document_signature_help_async(asked))
        assert help_.signatures[0].label == label


# ------------------------------------------------------------------ bad input
REQUESTS = (
    "hover", "definition", "implementation", "references", "document_highlight", "prepare_rename", "completion",
    "signature_help", "prepare_call_hierarchy", "inlay_hint", "code_lens", "document_link", "document_symbol",
    "folding_range", "semantic_tokens_full", "on_type_formatting", "code_action",
)  # fmt: skip
WHOLE = {
    "code_lens": lsp.CodeLensParams, "document_link": lsp.DocumentLinkParams, "document_symbol": lsp.DocumentSymbolParams,
    "folding_range": lsp.FoldingRangeParams, "semantic_tokens_full": lsp.SemanticTokensParams,
}  # fmt: skip


def asked_about(editor: Any, name: str, uri: str, position: lsp.Position) -> object:
    if name == "references":
        params: object = lsp.ReferenceParams(lsp.ReferenceContext(False), document(uri), position)
    elif name in WHOLE:
        params = WHOLE[name](document(uri))
    elif name == "inlay_hint":
        params = lsp.InlayHintParams(document(uri), lsp.Range(lsp.Position(0, 0), position))
    elif name == "on_type_formatting":
        options = lsp.FormattingOptions(4, True)
        params = lsp.DocumentOnTypeFormattingParams(document(uri), position, "\n", options)
    elif name == "code_action":
        params = lsp.CodeActionParams(document(uri), lsp.Range(position, position), lsp.CodeActionContext([]))
    elif name == "prepare_call_hierarchy":
        params = lsp.CallHierarchyPrepareParams(document(uri), position)
    else:
        sort = "".join(part.capitalize() for part in name.split("_"))
        params = getattr(lsp, f"{sort}Params")(document(uri), position)
    return editor.run(getattr(editor.client, f"text_document_{name}_async")(params))


def test_requests_at_many_offsets_never_fail(start: Callable[..., Any]) -> None:
    folder = bundled_packages()["salem"]
    editor = start(folder)
    random = Random(7)
    for path in sorted(folder.rglob("*.tale"))[:6]:
        text = path.read_text(encoding="utf-8")
        uri = editor.open(path, edited(text, random, 2) if random.random() < 0.5 else text)
        for offset in range(0, len(text), max(1, len(text) // 12)):
            line = text.count("\n", 0, offset)
            position = lsp.Position(line, offset - (text.rfind("\n", 0, offset) + 1))
            asked_about(editor, random.choice(REQUESTS), uri, position)
        for request in REQUESTS:
            asked_about(editor, request, uri, lsp.Position(10**6, 10**6))


@pytest.mark.parametrize("request_name", REQUESTS)
def test_files_outside_any_package(editor: Any, tmp_path: Path, request_name: str) -> None:
    uri = editor.open(tmp_path / "alone.tale", "kind Boat\n")
    assert not getattr(asked_about(editor, request_name, uri, lsp.Position(0, 6)), "items", None)
    asked_about(editor, request_name, "untitled:Untitled-1", lsp.Position(0, 0))
    asked_about(editor, request_name, (tmp_path / "not there.tale").as_uri(), lsp.Position(0, 0))


def test_a_package_that_goes_away(editor: Any, package: Path) -> None:
    uri = editor.open(package / "rules.tale")
    editor.settle()
    shutil.rmtree(package)
    editor.change(uri, RULES + "\n")
    editor.settle()
    asked_about(editor, "hover", uri, lsp.Position(0, 8))
    assert not package.exists()


def test_surrogate_pairs_count_as_two(editor: Any, package: Path) -> None:
    text = RULES + 'action shout:\n    say "\U0001f30a\U0001f30a"; fetch atlass by p1\n'
    uri = editor.open(package / "rules.tale", text)
    editor.settle()
    found = next(d for d in editor.shown[uri] if "atlass" in d.message)
    line = text.split("\n")[found.range.start.line].encode("utf-16-le")
    word = line[found.range.start.character * 2 : found.range.end.character * 2].decode("utf-16-le")
    assert word == "atlass"


def test_a_client_that_talks_nonsense_or_dies() -> None:
    command = [sys.executable, "-m", "talewright.cli", "lsp"]
    for said in (b"", b"Content-Length: 7\r\n\r\nnothing", b"Content-Length: x\r\n\r\n{}", b"\x00\xff" * 50):
        done = subprocess.run(command, input=said, capture_output=True, timeout=60, check=False)
        assert b"Traceback" not in done.stdout


def test_findings_are_told_although_a_request_compiled_first(package: Path) -> None:
    desk = Desk()
    uri = (package / "rules.tale").as_uri()
    desk.open(uri, RULES)
    list(desk.publications())
    desk.open(uri, RULES + "value n = nobody\n")
    desk.all_projects()  # as a request for symbols does
    assert desk.waiting()
    told = [found.message for each in desk.publications() for found in each.diagnostics]
    assert any("nobody" in message for message in told)
    assert not desk.waiting()


def test_asking_for_what_is_outdated_is_harmless(editor: Any, package: Path) -> None:
    """Many changes at once: only the last text counts."""
    uri = editor.open(package / "rules.tale")
    editor.settle()
    count = editor.published
    for number in range(30):
        editor.change(uri, RULES + f"value n{number} = nobody_{number}\n")
    editor.settle()
    assert editor.published - count <= 3
    assert any("nobody_29" in d.message for d in editor.shown[uri])
    assert not any("nobody_28" in d.message for d in editor.shown[uri])
