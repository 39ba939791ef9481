"""Runs with and without the cache give the same findings and document, whatever was edited between."""

from __future__ import annotations

import os
import random
import shutil
from functools import lru_cache
from pathlib import Path

import pytest

from talewright.cli.main import main
from talewright.compiler import passes
from talewright.compiler import result as compiling
from talewright.compiler.checks.usage_index import nodes_in
from talewright.compiler.document.document_builder import write
from talewright.compiler.incremental import parsed_files
from talewright.compiler.incremental.bundles import Bundle
from talewright.compiler.incremental.cache import MAX_ENTRIES, MAX_TOOLKITS, Store, digest, packed, unpacked
from talewright.compiler.incremental.elaborated_files import has_circle
from talewright.compiler.incremental.parsed_files import read_files
from talewright.compiler.incremental.signatures import Signatures
from talewright.compiler.passes import CompileResult, _declared, compile_packages
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages.loader import PackageSet, load_package
from talewright.dsl.parser import parse
from talewright.dsl.source import Source, Span
from talewright.dsl.tree import nodes as tree
from talewright.dsl.tree.nodes import body_start

SCENARIOS = Path(__file__).parents[3] / "scenarios"
# How many edits each package gets: what is kept, and for how long, does not depend on the size of a package, but what a
# run takes does. The first is an adventure with its system.
ROUNDS = {
    "salem/night": 16,
    "salem/system": 20,
    "dark_rituals/system": 12,
    "solomon_kane/system": 4,
    "brimstone/system": 4,
}


def compiled(folder: Path, store: Store | None, search: Path | None = None) -> CompileResult:
    return compile_packages(load_package(folder, [search] if search is not None else []), store)


@lru_cache(maxsize=200)
def _parsed(name: str, text: str) -> tuple[tree.File, list[Diagnostic]]:
    return parse(Source(name, text))


def compiled_anew(folder: Path, search: Path) -> CompileResult:
    """Nothing kept but the trees of texts that were the same before: parsing takes most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parsed_files, "parse", lambda source: _parsed(source.name, source.text))
        return compiled(folder, None, search)


def outcome(result: CompileResult) -> tuple[bytes | None, list[object]]:
    return write(result.document) if result.document is not None else None, list(result.diagnostics)


def edited(text: str, chance: random.Random) -> str:
    """The text with one small change, as somebody might make it."""
    lines = text.split("\n")
    index = chance.randrange(len(lines))
    other = chance.randrange(len(lines))
    match chance.randrange(8):
        case 0:
            del lines[index]
        case 1:
            lines.insert(index, lines[other])
        case 2:
            lines[index], lines[other] = lines[other], lines[index]
        case 3:
            words = lines[index].split(" ")
            words[chance.randrange(len(words))] = chance.choice(lines[other].split(" "))
            lines[index] = " ".join(words)
        case 4:
            lines[index] = "".join(str(int(c) + 1) if c.isdigit() and c != "9" else c for c in lines[index])
        case 5:
            lines.insert(index, "")
        case 6:
            starts = [n for n, line in enumerate(lines) if line and not line[0].isspace()] or [0]
            begin = chance.choice(starts)
            end = next((n for n in starts if n > begin), len(lines))
            del lines[begin:end]
        case 7:
            lines[index] += "  # a word in passing"
    return "\n".join(lines)


@pytest.mark.parametrize("package", ROUNDS)
def test_a_cached_run_gives_what_a_whole_run_gives(package: str, tmp_path: Path) -> None:
    chance = random.Random(package)
    root = tmp_path / "scenarios"
    shutil.copytree(SCENARIOS / Path(package).parts[0], root / Path(package).parts[0])
    folder = root / package
    store = Store(tmp_path / "cache")
    whole = outcome(compiled_anew(folder, root))
    assert outcome(compiled(folder, store, root)) == whole
    assert outcome(compiled(folder, store, root)) == whole
    files = sorted((root / Path(package).parts[0]).rglob("*.tale"))
    for turn in range(ROUNDS[package]):
        path = chance.choice(files)
        before = path.read_text(encoding="utf-8")
        path.write_text(edited(before, chance), encoding="utf-8")
        result = outcome(compiled(folder, store, root))
        assert result == outcome(compiled_anew(folder, root)), f"after the change {turn} in {path.name}"
        # Mistakes pile up quickly; most of the time the next change starts from sound text again.
        if chance.random() < 0.7:
            path.write_text(before, encoding="utf-8")


SYSTEM = {
    "tale.toml": 'name = "small"\nversion = "0.1.0"\ntype = "system"\ntitle = "Small"\ntale = 1\n',
    "one.tale": "value base = 1\nkind Coin:\n    worth: int = 1\n",
    "two.tale": "value double = base * 2\nCoin penny, groat\n",
    "three.tale": 'value best = double + count(Coin)\ncheck best > 0\naction game:\n    say "{best}"\n',
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    for name, text in SYSTEM.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("one.tale", 'value base = "one"\nkind Coin:\n    worth: int = 1\n'),
        ("one.tale", "value base: int = 1\nkind Coin:\n    worth: text\n"),
        ("one.tale", "value base = best\nkind Coin:\n    worth: int = 1\n"),
        ("one.tale", "kind Coin:\n    worth: int = 1\n"),
        ("two.tale", "value double(n: int) = n * 2\nCoin penny, groat\n"),
        ("two.tale", "value double = base * 2\nkind best\n"),
        ("two.tale", "value double = base * 2\nCoin penny, groat, best\n"),
        (
            "three.tale",
            'value best = double + count(Coin)\ncheck best > 0\naction game:\n    say "{groat}"\n',
        ),
    ],
)
def test_what_another_file_rests_on_is_noticed(small: Path, tmp_path: Path, file: str, text: str) -> None:
    store = Store(tmp_path / "cache")
    first = outcome(compiled(small, store))
    (small / file).write_text(text, encoding="utf-8")
    assert outcome(compiled(small, store)) == outcome(compiled(small, None))
    (small / file).write_text(SYSTEM[file], encoding="utf-8")
    assert outcome(compiled(small, store)) == first


def test_unchanged_files_are_not_elaborated_again(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "cache")
    compiled(small, store)
    (small / "two.tale").write_text("value double = base * 3\nCoin penny, groat\n", encoding="utf-8")
    from talewright.compiler.lower.provenance import Provenance

    parsed: list[str] = []
    bound: list[str] = []
    parse, stamp = parsed_files.parse, Provenance.stamp

    def watched_parse(source):  # type: ignore[no-untyped-def]
        parsed.append(Path(source.name).name)
        return parse(source)

    def watched_stamp(self, ir, symbol, scope):  # type: ignore[no-untyped-def]
        bound.append(symbol.name)
        return stamp(self, ir, symbol, scope)

    monkeypatch.setattr(parsed_files, "parse", watched_parse)
    monkeypatch.setattr(Provenance, "stamp", watched_stamp)
    compiled(small, store)
    assert parsed == ["two.tale"]
    assert "double" in bound
    assert not {"base", "best", "game"} & set(bound)


@pytest.mark.parametrize("command", ["lint", "compile"])
def test_the_commands_use_the_cache_unless_told_not_to(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert main([command, "--no-cache", str(small)]) == 0
    assert not list((tmp_path / "home").rglob("kept-*"))
    assert main([command, str(small)]) == 0
    (kept,) = (tmp_path / "home").rglob("kept-*")
    # Both keep the document; lint also all findings, and what the standing `check`s of the package came to.
    assert len(entries(kept)) == {"lint": 6, "compile": 4}[command]


def test_the_document_of_the_last_run_is_taken_while_nothing_changes(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[bool] = []

    def counted(packages: PackageSet, store: Store | None, **how: bool) -> CompileResult:
        runs.append(True)
        return compile_packages(packages, store, **how)

    monkeypatch.setattr(compiling, "user_store", lambda: Store(tmp_path / "kept"))
    monkeypatch.setattr(passes, "compile_packages", counted)
    (small / "one.tale").write_text(SYSTEM["one.tale"] + "value spare = 2\n", encoding="utf-8")
    first = compiling.compile_package(small, trees=False)
    assert first.document is not None
    assert first.diagnostics
    assert outcome(compiling.compile_package(small, trees=False)) == outcome(first)
    assert len(runs) == 1
    assert compiling.compile_package(small, document=False).diagnostics == first.diagnostics
    assert len(runs) == 1, "the findings of the run that made the document"
    assert compiling.compile_package(small).made_from is not None
    for text in (SYSTEM["one.tale"], SYSTEM["one.tale"].replace("1", "2")):
        (small / "one.tale").write_text(text, encoding="utf-8")
        for _ in range(2):
            assert outcome(compiling.compile_package(small, trees=False)) == outcome(compiled(small, None))
    assert len(entries(tmp_path / "kept")) == 4, "trees, bodies, shares, and one document"
    (kept,) = (path for path in entries(tmp_path / "kept") if b'"sources"' in path.read_bytes())
    kept.write_bytes(kept.read_bytes().replace(b'"groat"', b'"great"'))
    assert outcome(compiling.compile_package(small, trees=False)) == outcome(compiled(small, None))


def test_old_toolkits_are_forgotten(tmp_path: Path) -> None:
    for number in range(MAX_TOOLKITS + 2):
        Store(tmp_path / "talewright" / f"kept-{number}").save("key", number)
        os.utime(tmp_path / "talewright" / f"kept-{number}", (number, number))
    left = sorted(path.name for path in (tmp_path / "talewright").iterdir())
    assert left == [f"kept-{number}" for number in range(2, MAX_TOOLKITS + 2)]


def entries(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file())


@pytest.mark.parametrize("harm", ["cut", "changed", "empty", "foreign", "folder"])
def test_a_harmed_cache_is_ignored(small: Path, tmp_path: Path, harm: str) -> None:
    folder = tmp_path / "cache"
    first = outcome(compiled(small, Store(folder)))
    kept = entries(folder)
    assert len(kept) == 3, "all trees, all bodies, all shares"
    for path in kept:
        data = path.read_bytes()
        match harm:
            case "cut":
                path.write_bytes(data[: len(data) // 2])
            case "changed":
                path.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])
            case "empty":
                path.write_bytes(b"")
            case "foreign":
                path.write_bytes(b"not ours at all" * 40)
            case "folder":
                path.unlink()
                path.mkdir()
    assert outcome(compiled(small, Store(folder))) == first


@pytest.mark.parametrize("lost", range(3))
def test_a_lost_part_of_the_cache_is_made_again(small: Path, tmp_path: Path, lost: int) -> None:
    folder = tmp_path / "cache"
    first = outcome(compiled(small, Store(folder)))
    entries(folder)[lost].unlink()
    assert outcome(compiled(small, Store(folder))) == first
    # Every file is looked into again: what all have in common has changed.
    (small / "one.tale").write_text(SYSTEM["one.tale"] + "    weight: int = 1\n", encoding="utf-8")
    assert outcome(compiled(small, Store(folder))) == outcome(compiled(small, None))


@pytest.mark.parametrize("tail", ["", "modify best by +1\n", "modify double by +1\n"])
def test_local_checks_look_again_when_a_value_gets_its_first_modifier(
    small: Path, tmp_path: Path, tail: str
) -> None:
    text = "value base = 1\naction odd:\n    requires base = 2\n    stop odd\n    nothing\nkind Coin:\n    worth: int = 1\n"
    (small / "one.tale").write_text(text, encoding="utf-8")
    store = Store(tmp_path / "cache")
    for added in ("", tail, "modify base by +1\n", tail, ""):
        (small / "two.tale").write_text(SYSTEM["two.tale"] + added, encoding="utf-8")
        assert outcome(compiled(small, store)) == outcome(compiled(small, None)), added
        assert outcome(compiled(small, store)) == outcome(compiled(small, None)), added


def test_a_bundle_is_one_file_until_something_new_comes(tmp_path: Path) -> None:
    folder, keys = tmp_path / "cache", [f"key{number:02}" for number in range(20)]
    bundle = Bundle(Store(folder), "all")
    for key in keys:
        bundle.keep(key, key.upper())
    bundle.close(keys, "beside", anew=bundle.is_old(keys))
    assert len(entries(folder)) == 1
    bundle = Bundle(Store(folder), "all")
    assert [bundle.load(key) for key in keys] == [key.upper() for key in keys]
    assert bundle.beside() == "beside"
    assert not bundle.is_old(keys)
    bundle.keep("new", 1)
    assert not bundle.is_old([*keys[1:], "new"])
    bundle.close([*keys[1:], "new"], anew=False)
    assert len(entries(folder)) == 2
    assert Bundle(Store(folder), "all").load("new") == 1


def test_a_bundle_is_written_anew_when_much_lies_apart(tmp_path: Path) -> None:
    folder, keys = tmp_path / "cache", [f"key{number:02}" for number in range(16)]
    store = Store(folder)
    bundle = Bundle(store, "all")
    for key in keys:
        bundle.keep(key, 1)
    bundle.close(keys, anew=True)
    for key in ("a", "b"):
        store.save(key, 2)
    bundle = Bundle(store, "all")
    wanted = [*keys[3:], "a", "b", "c"]
    assert [bundle.load(key) for key in wanted] == [1] * 13 + [2, 2, None]
    assert not bundle.is_old(wanted)
    bundle.keep("c", 3)
    assert bundle.is_old(wanted)
    bundle.close(wanted, anew=True)
    for path in ("a", "b"):
        (folder / path).unlink()
    assert [Bundle(store, "all").load(key) for key in wanted] == [1] * 13 + [2, 2, 3]
    assert Bundle(store, "all").load(keys[0]) is None


def test_a_new_value_is_not_hidden_by_the_bundle(tmp_path: Path) -> None:
    store, keys = Store(tmp_path / "cache"), [f"key{number:02}" for number in range(40)]
    bundle = Bundle(store, "all")
    for key in keys:
        bundle.keep(key, "old")
    bundle.close(keys, anew=True)
    bundle = Bundle(store, "all")
    bundle.keep(keys[0], "new")
    bundle.close(keys, anew=bundle.is_old(keys))
    assert Bundle(store, "all").load(keys[0]) == "new"


def test_words_that_look_as_before_have_the_signature_they_had(tmp_path: Path) -> None:
    chance = random.Random(4)
    shutil.copytree(SCENARIOS / "salem" / "system", tmp_path / "system")
    store = Store(tmp_path / "cache")

    def look() -> tuple[Signatures, list[frozenset[str]]]:
        files = read_files(load_package(tmp_path / "system"), store)
        return Signatures(_declared(files)), [file.words() for file in files]

    before, _ = look()
    files = sorted((tmp_path / "system").rglob("*.tale"))
    spared = touched = 0
    for _ in range(20):
        path = chance.choice(files)
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        starts = [n for n, line in enumerate(lines) if line and not line[0].isspace()]
        begin = chance.choice(starts)
        end = next((n for n in starts if n > begin), len(lines))
        path.write_text("\n".join(lines[:begin] + lines[end:]), encoding="utf-8")
        now, words = look()
        changed = now.changed_since(before.texts())
        for each in words:
            if changed.isdisjoint(each):
                assert now.of_words(each) == before.of_words(each)
                spared += 1
            else:
                touched += 1
        path.write_text(text, encoding="utf-8")
    assert spared
    assert touched


def test_a_folder_that_others_can_write_is_not_trusted(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    Store(folder).save("key", (1, 2))
    assert Store(folder).load("key") == (1, 2)
    os.chmod(folder, 0o777)
    assert Store(folder).load("key") is None
    os.chmod(folder, 0o700)
    os.chmod(folder / "key", 0o666)
    assert Store(folder).load("key") is None


def test_only_plain_values_are_read_back(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    span = Span("a.tale", 1, 2, 3, 4)
    Store(folder).save("span", span)
    assert Store(folder).load("span") == span
    Store(folder).save("path", Path("somewhere"))
    assert Store(folder).load("path") is None
    Store(folder).save("call", os.getcwd)
    assert Store(folder).load("call") is None


def test_a_folder_that_cannot_be_made_is_left_alone(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    store = Store(blocked / "cache")
    store.save("key", 1)
    store.tidy()
    assert store.load("key") is None


def test_a_full_cache_loses_its_oldest_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talewright.compiler.incremental.cache.MAX_ENTRIES", 10)
    assert MAX_ENTRIES > 1000
    store = Store(tmp_path / "cache")
    for number in range(12):
        store.save(f"key{number:02}", number)
        os.utime(tmp_path / "cache" / f"key{number:02}", (number, number))
    store.tidy()
    assert [path.name for path in entries(tmp_path / "cache")] == [f"key{n:02}" for n in range(7, 12)]


def test_digests_keep_texts_apart() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("a") == digest("a")


@pytest.mark.parametrize(
    ("arrows", "circle"),
    [
        ({}, False),
        ({"a": ["b"], "b": ["c"]}, False),
        ({"a": ["b", "c"], "b": ["d"], "c": ["d"]}, False),
        ({"a": ["b"], "b": ["a"]}, True),
        ({"x": ["a"], "a": ["b"], "b": ["c"], "c": ["a"]}, True),
    ],
)
def test_circles_are_seen(arrows: dict[str, list[str]], circle: bool) -> None:
    assert has_circle(arrows) is circle


def test_bodies_are_unpacked_when_somebody_looks_into_them() -> None:
    text = "kind Coin:\n    before game:\n        nothing\naction game:\n    nothing\naction done:\n    stop game\n"
    file, _ = parse(Source("x.tale", text))
    outside, inside = packed(file)
    again = unpacked(outside, lambda: inside)
    places = [text.index("nothing\naction done"), text.index("stop")]
    assert [body_start(decl) for decl in again.declarations[1:]] == places
    assert b"Stop" in inside
    assert b"Stop" not in outside
    assert again == file


def test_what_the_walk_noted_is_about_the_very_nodes_that_were_kept(tmp_path: Path) -> None:
    root = tmp_path / "scenarios"
    shutil.copytree(SCENARIOS / "salem", root / "salem")
    folder = root / "salem" / "night"
    store = Store(tmp_path / "cache")
    first = outcome(compiled(folder, store, root))
    (root / "salem" / "system" / "1_words.tale").open("a", encoding="utf-8").write("\n# a word more\n")
    again = compile_packages(load_package(folder, [root]), store)
    assert outcome(again)[1] == first[1]
    shelf = again.made_from.work.shelf  # type: ignore[attr-defined]
    assert shelf.notes, "most files were taken from the first run"
    for facts in shelf.all():
        for piece in facts.pieces():
            for _, node in shelf.notes.get(id(piece), ((),) * 7)[5]:
                assert any(node is inner for inner in nodes_in(piece))


class _Damaged(Store):
    """A store whose entries are whole and mean nothing."""

    def load(self, key: str) -> object:
        return ({"nothing": 1}, [None], {"of": "use"}, [3], "x")


def test_an_entry_that_means_nothing_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "tale.toml").write_text('name = "game"\nversion = "1"\ntitle = "A Game"\ntype = "system"\n')
    (folder / "game.tale").write_text("state gold: int = 3\naction game: gold = nobody\n")
    monkeypatch.setattr(compiling, "user_store", lambda: _Damaged(tmp_path / "kept"))
    found = compiling.compile_package(folder).diagnostics
    assert [one.code for one in found if one.severity == "error"] == ["N201"]
    monkeypatch.setattr(_Damaged, "load", lambda *_: [{"code": "N201"}])
    found = compiling.compile_package(folder, document=False).diagnostics
    assert [one.code for one in found if one.severity == "error"] == ["N201"]
