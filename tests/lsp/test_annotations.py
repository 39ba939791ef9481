"""Hints, lenses, links, calls, fixes and layout while typing, asked by a real client over standard input and output."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from lsprotocol import types as lsp

from talewright.lsp.annotations.lenses import lenses
from talewright.report.playtest.last_result import keep_last

_spec = importlib.util.spec_from_file_location("tale_test_editor", Path(__file__).parent / "editor.py")
assert _spec is not None
assert _spec.loader is not None
_module = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_module)
Editor = _module.Editor

MANIFEST = 'name = "ford"\nversion = "0.1.0"\ntitle = "The Ford"\ntype = "adventure"\nuses = []\n[test]\ncovers = "../rules.yaml"\n'
STORY = (
    dedent(
        '''
    role Walker 1..2 is Figure named w:
        breath: track 0..5 start 5
    kind Omen is Card:
        weight: int = 1

    Omen raven "Raven" reads_nothing
    Chapter ford "The Ford":
        """The river is high."""
        outcome: otherwise -> home
    Ending home "Home"

    # How much it weighs, all told.
    value burden(w: Walker) reads "what {w} carries" = 2 + w.breath

    action wade by w: Walker:
        let much = burden(w)
        if much > 3: w.breath - 1

    action game:
        for each w in Walker: wade by w
        go to home

    before wade: say "Cold."

    test "nobody drowns":
        start ford
        when wade by w1
        expect w1.breath == 4
    '''
    )
    .lstrip()
    .replace(" reads_nothing", "")
)
TABLE = dedent(
    """
    table sight(n: int):
        1..3 -> 1
        ..5 -> 2
        otherwise -> 3
    """
).lstrip()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        editor = Editor()
        yield editor
        editor.stop()


@pytest.fixture
def folder(tmp_path: Path, server: Any) -> Iterator[Path]:
    made = tmp_path / "ford"
    made.mkdir()
    (made / "tale.toml").write_text(MANIFEST)
    (tmp_path / "rules.yaml").write_text("rules: []\n")
    (made / "story.tale").write_text(STORY)
    (made / "table.tale").write_text(TABLE)
    yield made
    server.close_all()


def document(uri: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(uri)


def at(text: str, mark: str, shift: int = 0) -> lsp.Position:
    offset = text.index(mark) + shift
    return lsp.Position(text.count("\n", 0, offset), offset - (text.rfind("\n", 0, offset) + 1))


def hints_of(server: Any, path: Path) -> dict[tuple[int, int], str]:
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(999, 0))
    asked = lsp.InlayHintParams(document(server.open(path)), whole)
    found = server.run(server.client.text_document_inlay_hint_async(asked))
    return {(hint.position.line, hint.position.character): hint.label for hint in found}


def test_hints_tell_inferred_types(server: Any, folder: Path) -> None:
    found = hints_of(server, folder / "story.tale")
    lines = STORY.split("\n")
    told = {lines[line][:column].strip(): text for (line, column), text in found.items()}
    assert told["let much"] == ": int"
    assert told['value burden(w: Walker) reads "what {w} carries"'] == ": int"


def test_hints_tell_what_a_row_really_takes(server: Any, folder: Path) -> None:
    found = hints_of(server, folder / "table.tale")
    assert {line: text for (line, _), text in found.items() if "(" in text} == {
        2: " (..0, 4..5)",
        3: " (6..)",
    }


def test_lenses_run_and_tell(server: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uri = server.open(folder / "story.tale")
    asked = lsp.CodeLensParams(document(uri))

    def shown() -> dict[str, list[str]]:
        made: dict[str, list[str]] = {}
        for lens in server.run(server.client.text_document_code_lens_async(asked)):
            line = STORY.split("\n")[lens.range.start.line]
            made.setdefault(line, []).append(lens.command.title)
        return made

    assert shown() == {
        'Chapter ford "The Ford":': ["play from this chapter", "playtest from here"],
        'test "nobody drowns":': ["run this test", "debug by trace"],
    }
    result = {
        "watched": 500,
        "finished": 400,
        "winning": ["home"],
        "thing_uses": {"raven": {"games": 155, "win_rate": {"value": 68 / 155}}},
        "chapters": {"ford": {"games": 400, "outcomes": {"home": 1, "lost": 399}}},
    }
    keep_last(folder, result)
    assert shown()['Omen raven "Raven"'] == ["met in 31 % of 500 games, won 44 %"]
    assert shown()['Chapter ford "The Ford":'][-1] == "met in 100 % of 400 games, won < 1 %"


def test_links_lead_to_chapters_and_files(server: Any, folder: Path, tmp_path: Path) -> None:
    uri = server.open(folder / "story.tale")
    found = server.run(server.client.text_document_document_link_async(lsp.DocumentLinkParams(document(uri))))
    home = STORY[: STORY.index("Ending home")].count("\n") + 1
    assert {link.target for link in found} == {f"{uri}#L{home}"}
    assert len(found) == 2
    manifest = server.open(folder / "tale.toml")
    named = server.run(
        server.client.text_document_document_link_async(lsp.DocumentLinkParams(document(manifest)))
    )
    assert [link.target for link in named] == [(tmp_path / "rules.yaml").as_uri() + "#L1"]


def test_the_tree_of_calls(server: Any, folder: Path) -> None:
    uri = server.open(folder / "story.tale")
    client = server.client
    params = lsp.CallHierarchyPrepareParams(document(uri), at(STORY, "action wade", 8))
    (wade,) = server.run(client.text_document_prepare_call_hierarchy_async(params))
    assert wade.name == "wade"
    incoming = server.run(
        client.call_hierarchy_incoming_calls_async(lsp.CallHierarchyIncomingCallsParams(wade))
    )
    assert {call.from_.name for call in incoming} >= {"game"}
    outgoing = server.run(
        client.call_hierarchy_outgoing_calls_async(lsp.CallHierarchyOutgoingCallsParams(wade))
    )
    assert [call.to.name for call in outgoing] == ["burden"]


def test_hover_tells_the_wording(server: Any, folder: Path) -> None:
    uri = server.open(folder / "story.tale")
    asked = lsp.HoverParams(document(uri), at(STORY, "burden(w)", 2))
    said = server.run(server.client.text_document_hover_async(asked)).contents.value
    assert "what {w} carries" in said
    assert "How much it weighs" in said


def actions_of(server: Any, uri: str) -> dict[str, list[Any]]:
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(999, 0))
    asked = lsp.CodeActionParams(document(uri), whole, lsp.CodeActionContext([]))
    found = server.run(server.client.text_document_code_action_async(asked))
    return {action.title: action.edit.changes[uri] for action in found}


def applied(text: str, edits: list[Any]) -> str:
    lines = text.split("\n")
    for edit in edits:
        start, end = edit.range.start, edit.range.end
        head = "\n".join([*lines[: start.line], lines[start.line][: start.character]])
        tail = "\n".join([lines[end.line][end.character :], *lines[end.line + 1 :]])
        lines = (head + edit.new_text + tail).split("\n")
    return "\n".join(lines)


def test_a_fix_declares_what_is_missing(server: Any, folder: Path) -> None:
    text = STORY.replace("otherwise -> home", "otherwise -> shore")
    uri = server.open(folder / "story.tale", text)
    fixed = applied(text, actions_of(server, uri)["Declare the Chapter `shore`"])
    assert 'Chapter shore "Shore"\n' in fixed
    server.change(uri, fixed)
    server.settle()
    assert not any("shore" in found.message and found.severity == 1 for found in server.shown.get(uri, ()))


def test_a_fix_adds_otherwise(server: Any, folder: Path) -> None:
    text = "table sight(n: int):\n    1..3 -> 1\n    5.. -> 2\n"
    uri = server.open(folder / "table.tale", text)
    fixed = applied(text, actions_of(server, uri)["Add `otherwise`"])
    assert fixed == "table sight(n: int):\n    1..3 -> 1\n    5.. -> 2\n    otherwise -> 2\n"
    server.change(uri, fixed)
    server.settle()
    assert not any(found.code == "F401" for found in server.shown.get(uri, ()))


def test_the_line_just_ended_is_laid_out(server: Any, folder: Path) -> None:
    text = STORY.replace("    go to home\n", "    go  to   home\n\n", 1)
    uri = server.open(folder / "story.tale", text)
    options = lsp.FormattingOptions(4, True)
    below = at(text, "    go  to   home\n")
    asked = lsp.DocumentOnTypeFormattingParams(document(uri), lsp.Position(below.line + 1, 0), "\n", options)
    (edit,) = server.run(server.client.text_document_on_type_formatting_async(asked))
    assert edit.new_text == "    go to home"
    assert edit.range.start == lsp.Position(below.line, 0)


EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"


def test_the_extension_has_every_command() -> None:
    """What lenses and menus name is registered, and nothing else is."""
    registered = set(
        re.findall(r'registerCommand\("([\w.]+)"', (EXTENSION / "src" / "extension.ts").read_text("utf-8"))
    )
    package = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    shown = {entry["command"] for entry in package["contributes"]["commands"]}
    behind = {lens.command for lens in lenses(STORY, Path(), None, None) if lens.command}
    behind |= {"tale.playChapter", "tale.playtestChapter"}
    assert registered == shown | behind
    steps = package["contributes"]["walkthroughs"][0]["steps"]
    assert all((EXTENSION / step["media"]["markdown"]).is_file() for step in steps)
    used = set(re.findall(r"command:([\w.]+)", json.dumps(steps)))
    assert used <= shown
