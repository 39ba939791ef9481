"""Packages: what is found, in which order, and every way they can be wrong."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages import files, loader
from talewright.dsl.packages.loader import PackageSet, load_package
from talewright.dsl.packages.package_codes import PACKAGE_CODES

Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes a package in a temporary working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TALE_PATH", raising=False)

    def build(
        folder: str,
        *,
        name: str | None = None,
        type: str = "system",
        uses: list[str] | None = None,
        version: str = "0.1.0",
        extra: str = "",
        text: str | None = "# nothing yet\n",
    ) -> Path:
        place = tmp_path / folder
        place.mkdir(parents=True, exist_ok=True)
        lines = [
            f'name = "{name or place.name}"',
            f'version = "{version}"',
            'title = "A Title"',
            f'type = "{type}"',
        ]
        if uses is not None:
            lines.append("uses = [" + ", ".join(f'"{use}"' for use in uses) + "]")
        (place / "tale.toml").write_text("\n".join(lines) + "\n" + extra, "utf-8")
        if text is not None:
            (place / "story.tale").write_text(text, "utf-8")
        return place

    return build


def only(result: PackageSet, code: str) -> Diagnostic:
    """The one finding of a result, which must have this code."""
    assert [found.code for found in result.diagnostics] == [code]
    return result.diagnostics[0]


def place(found: Diagnostic) -> tuple[str, int, int]:
    return found.span.file, found.span.line, found.span.column


def manifest_finding(make: Make, text: str) -> list[Diagnostic]:
    folder = make("game")
    (folder / "tale.toml").write_text(text, "utf-8")
    result = load_package(folder)
    assert result.main is None
    return list(result.diagnostics)


def test_a_package_and_its_system_come_in_order_of_need(make: Make) -> None:
    make("base", name="words")
    make("middle", name="rules", uses=["words"])
    adventure = make("trip", type="adventure", uses=["rules >=0.1, <1"])
    result = load_package(adventure)
    assert result.diagnostics == ()
    assert [package.name for package in result.packages] == ["words", "rules", "trip"]
    assert result.main is result.packages[-1]
    assert result.main.uses == ("rules",)
    assert [source.name for source in result.main.sources] == ["trip/story.tale"]
    assert set(result.sources()) == {
        f"{folder}/{file}" for folder in ("base", "middle", "trip") for file in ("tale.toml", "story.tale")
    }


def test_a_package_used_over_two_ways_is_read_once(make: Make) -> None:
    make("words")
    make("left", uses=["words"])
    make("right", uses=["words"])
    top = make("top", uses=["left", "right"])
    result = load_package(top)
    assert [package.name for package in result.packages] == ["words", "left", "right", "top"]
    assert result.diagnostics == ()


def test_manifest_values_are_kept(make: Make) -> None:
    folder = make(
        "game",
        extra='authors = ["A. Author"]\nlocales = ["en", "pt-BR"]\ntale = 1\n'
        '[lint]\nS101 = "off"\n[playtest]\ngames = 100\nsince = 2024-01-01\n',
    )
    main = load_package(folder).main
    assert main is not None
    assert main.manifest.authors == ("A. Author",)
    assert main.manifest.locales == ("en", "pt-BR")
    assert dict(main.manifest.lint) == {"S101": "off"}
    assert main.manifest.playtest["games"] == 100


def test_a_file_or_folder_inside_a_package_means_the_package(make: Make) -> None:
    folder = make("game")
    (folder / "cards").mkdir()
    for inside in (folder / "story.tale", folder / "tale.toml", folder / "cards"):
        main = load_package(inside).main
        assert main is not None
        assert main.folder == folder


def test_files_are_sorted_recursive_and_hidden_folders_skipped(make: Make) -> None:
    folder = make("game", text=None)
    for name in ("b.tale", "a/z.tale", "a.tale", ".git/x.tale", ".hidden.tale", "notes.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("#\n", "utf-8")
    make("game/inner", name="inner")
    main = load_package(folder).main
    assert main is not None
    assert [source.name for source in main.sources] == ["game/a.tale", "game/a/z.tale", "game/b.tale"]


def test_bundled_packages_are_found_by_name_and_by_folder(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import talewright.scenarios

    make("store/deep/folder_name", name="real_name")
    monkeypatch.setattr(talewright.scenarios, "__path__", [str(tmp_path / "store")])
    loader.bundled_packages.cache_clear()
    try:
        for name in ("real_name", "folder_name"):
            main = load_package(name).main
            assert main is not None
            assert main.name == "real_name"
            assert load_package(make("trip", type="adventure", uses=[name])).diagnostics == ()
        found = only(load_package("real_nam"), "P001")
        assert found.help == "did you mean the bundled `real_name`?"
    finally:
        loader.bundled_packages.cache_clear()


def test_search_path_by_argument_and_environment(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = make("shelf/group/words").parent.parent
    trip = make("here/trip", type="adventure", uses=["words"])
    only(load_package(trip), "P010")
    assert load_package(trip, [shelf]).diagnostics == ()
    monkeypatch.setenv("TALE_PATH", os.pathsep.join(["/nowhere", str(shelf)]))
    assert load_package(trip).diagnostics == ()


def test_a_system_may_lie_inside_its_adventure(make: Make) -> None:
    trip = make("trip", type="adventure", uses=["words"])
    make("trip/system", name="words")
    result = load_package(trip)
    assert [package.name for package in result.packages] == ["words", "trip"]
    assert result.diagnostics == ()


def test_a_farther_package_of_the_right_version_is_taken(make: Make) -> None:
    make("words", version="0.1.0")
    shelf = make("shelf/words", version="2.0").parent
    trip = make("trip", type="adventure", uses=["words >=1"])
    result = load_package(trip, [shelf])
    assert result.diagnostics == ()
    assert result.packages[0].version == "2.0"


def test_missing_package(make: Make) -> None:
    make("words")
    found = only(load_package(make("trip", type="adventure", uses=["wrods >=1"])), "P010")
    assert found.message == "there is no package `wrods`"
    assert found.help == "did you mean `words`?"
    assert place(found) == ("trip/tale.toml", 5, 9)
    assert found.span.end_column == 20


def test_version_mismatch(make: Make) -> None:
    make("words", version="0.3")
    found = only(load_package(make("trip", type="adventure", uses=["words >=1"])), "P011")
    assert found.message == "`words` is there in version 0.3, but `>=1` is asked for"
    assert found.labels[0].span.file == "words/tale.toml"
    assert found.labels[0].span.line == 2


def test_contradicting_versions_in_one_set(make: Make) -> None:
    make("words", version="1.0")
    make("left", uses=["words <2"])
    make("right", uses=["words >=2"])
    make("shelf/words", version="2.0")
    found = only(load_package(make("top", uses=["left", "right"]), ["shelf"]), "P011")
    assert found.span.file == "right/tale.toml"


def test_cycle(make: Make) -> None:
    make("b", uses=["c"])
    make("c", uses=["a"])
    found = only(load_package(make("a", uses=["b"])), "P012")
    assert found.message == "packages use each other in a ring: `a` uses `b` uses `c` uses `a`"
    assert place(found) == ("c/tale.toml", 5, 9)


def test_a_package_that_uses_itself(make: Make) -> None:
    assert only(load_package(make("a", uses=["a"])), "P012").message.endswith("`a` uses `a`")


def test_adventure_uses_adventure(make: Make) -> None:
    make("words")
    make("first", type="adventure", uses=["words"])
    found = only(load_package(make("second", type="adventure", uses=["first"])), "P013")
    assert place(found) == ("second/tale.toml", 5, 9)
    assert found.labels[0].span.line == 4


@pytest.mark.parametrize(("uses", "line"), [([], 4), (["one", "two"], 5)])
def test_an_adventure_uses_exactly_one_system(make: Make, uses: list[str], line: int) -> None:
    make("one")
    make("two")
    found = only(load_package(make("trip", type="adventure", uses=uses)), "P014")
    assert found.span.line == line


def test_uses_that_cannot_be_read_and_twins(make: Make) -> None:
    make("words")
    result = load_package(make("top", uses=["words about 2", "Words", "words", "words <3"]))
    assert [(found.code, found.span.column) for found in result.diagnostics] == [
        ("P009", 9),
        ("P009", 26),
        ("P015", 44),
    ]


def test_two_packages_of_one_name_side_by_side(make: Make) -> None:
    make("words")
    make("copy", name="words")
    found = only(load_package(make("top", uses=["words"])), "P016")
    assert [label.span.file for label in found.labels] == ["copy/tale.toml", "words/tale.toml"]
    assert found.severity == "warning"


def test_paths_that_lead_nowhere(make: Make, tmp_path: Path) -> None:
    make("game")
    (tmp_path / "empty").mkdir()
    only(load_package("no_such_thing"), "P001")
    only(load_package(""), "P001")
    only(load_package("a\0b"), "P001")
    only(load_package("empty"), "P002")
    only(load_package("x" * 5000), "P003")


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "message"),
    [
        ("name = x", "P004", 1, 8, "`tale.toml` is not TOML: invalid value"),
        ("[lint\n", "P004", 1, 6, "`tale.toml` is not TOML: expected ']' at the end of a table declaration"),
        ("a = [1,", "P004", 1, 8, "`tale.toml` is not TOML: invalid value"),
        ("a = " + "[" * 30000, "P004", 1, 1, "the values are nested too deeply"),
        ("tale = " + "9" * 9000, "P004", 1, 1, None),
    ],
)
def test_a_manifest_that_is_no_toml(
    make: Make, text: str, code: str, line: int, column: int, message: str | None
) -> None:
    (found,) = manifest_finding(make, text)
    assert (found.code, found.span.line, found.span.column) == (code, line, column)
    if message is not None:
        assert found.message == message


GOOD = 'name = "game"\nversion = "1.0"\ntitle = "T"\ntype = "system"\n'


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "message"),
    [
        (GOOD + 'titel = "x"\n', "P005", 5, 1, "`titel` is no key of `tale.toml`"),
        (GOOD + "[lint]\nbad = 'off'\n", "P005", 6, 1, "`bad` is no code of a finding"),
        (
            GOOD + "[lint]\nS101 = 'never'\n",
            "P006",
            6,
            8,
            '`lint.S101` must be "error", "warning", "info" or "off"',
        ),
        (GOOD.replace("system", "story"), "P006", 4, 8, '`type` must be "system" or "adventure"'),
        (
            GOOD.replace('"game"', '"Game"'),
            "P006",
            1,
            8,
            "`name` must be lower-case letters, digits, `_` and `-`, beginning with a letter",
        ),
        (GOOD.replace('"T"', "2024-01-01"), "P006", 3, 9, "`title` must be the title people see, not empty"),
        (
            GOOD + "uses = [\n  'a',\n  3,\n]\n",
            "P006",
            7,
            3,
            'an entry of `uses` must be a text such as "name >=0.1"',
        ),
        (GOOD + "locales = ['en', 'en']\n", "P006", 5, 11, "`locales` names something twice"),
        (
            GOOD + "tale = 0\n",
            "P006",
            5,
            8,
            "`tale` must be the version of the language, a whole number from 1",
        ),
        (
            GOOD + "tale = 2\n",
            "P008",
            5,
            8,
            "written for version 2 of the language; this toolkit reads 1",
        ),
        (GOOD.replace('title = "T"\n', ""), "P007", 1, 1, "`title` is missing"),
    ],
)
def test_a_manifest_that_is_wrong(
    make: Make, text: str, code: str, line: int, column: int, message: str
) -> None:
    (found,) = manifest_finding(make, text)
    assert (found.code, found.span.line, found.span.column, found.message) == (code, line, column, message)


def test_every_wrong_key_is_found_at_once(make: Make) -> None:
    found = manifest_finding(make, GOOD + "one = 1\ntwo = 2\nversio = 3\n[lint]\nx = 'off'\ny = 'off'\n")
    assert [(entry.code, entry.span.line) for entry in found] == [
        ("P005", 5),
        ("P005", 6),
        ("P005", 7),
        ("P005", 9),
        ("P005", 10),
    ]
    assert found[2].help == "did you mean `version`?"


def test_characters_that_nobody_sees_are_found_where_they_stand(make: Make) -> None:
    folder = make("game", extra='authors = ["A", "\\u001b[31mB"]\n# \u202e\n')
    result = load_package(folder)
    assert result.main is not None
    assert [(found.code, *place(found)[1:]) for found in result.diagnostics] == [
        ("S128", 5, 17),
        ("S128", 6, 3),
    ]


def test_bytes_that_are_no_text(make: Make) -> None:
    folder = make("game", text=None)
    (folder / "a_binary.tale").write_bytes(b"ok\n\xc3\xa9\0\x01")
    (folder / "b_latin.tale").write_bytes(b"ok\n\xc3\xa9 caf\xe9\n")
    (folder / "c_marked.tale").write_bytes(b"\xef\xbb\xbf# fine\r\n")
    result = load_package(folder)
    assert [(found.code, found.severity, *place(found)) for found in result.diagnostics] == [
        ("P020", "error", "game/a_binary.tale", 2, 2),
        ("P021", "error", "game/b_latin.tale", 2, 6),
        ("P022", "info", "game/c_marked.tale", 1, 1),
    ]
    assert result.main is not None
    assert [source.text for source in result.main.sources] == ["# fine\r\n"]


def test_limits(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make("game", text="#" * 100)
    (folder / "more.tale").write_text("#" * 100)
    monkeypatch.setattr(loader, "MAX_TOTAL_BYTES", 150)
    assert only(load_package(folder), "P019").span.file == "game/story.tale"
    monkeypatch.setattr(loader, "MAX_TOTAL_BYTES", 1000)
    monkeypatch.setattr(files, "MAX_FILES", 1)
    assert "more than 1 " in only(load_package(folder), "P019").message
    (folder / "tale.toml").write_text("#" * (files.MAX_MANIFEST_BYTES + 1))
    only(load_package(folder), "P018")


def test_a_file_larger_than_the_limit(make: Make) -> None:
    folder = make("game")
    (folder / "story.tale").write_bytes(b"#" * (files.MAX_FILE_BYTES + 1))
    found = only(load_package(folder), "P018")
    assert found.message == "the file has 4,194,305 bytes; at most 4,194,304 are read"


def test_folders_nested_without_end(make: Make) -> None:
    folder = make("game")
    (folder / Path(*["d"] * (files.MAX_DEPTH + 2))).mkdir(parents=True)
    only(load_package(folder), "P019")


def test_links(make: Make, tmp_path: Path) -> None:
    folder = make("game")
    outside = tmp_path / "outside.tale"
    outside.write_text("#\n")
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "x.tale").write_text("#\n")
    (folder / "out.tale").symlink_to(outside)
    (folder / "away").symlink_to(tmp_path / "away")
    (folder / "inside.tale").symlink_to(folder / "story.tale")
    (folder / "loop").symlink_to(folder)
    (folder / "dead.tale").symlink_to(folder / "nothing.tale")
    result = load_package(folder)
    assert [(found.code, found.span.file) for found in result.diagnostics] == [
        ("P017", "game/away"),
        ("P003", "game/dead.tale"),
        ("P017", "game/out.tale"),
    ]
    assert result.main is not None
    assert [source.name for source in result.main.sources] == ["game/story.tale"]


def test_a_manifest_that_is_a_link_away_or_a_folder(make: Make, tmp_path: Path) -> None:
    folder = make("game")
    (folder / "tale.toml").rename(tmp_path / "elsewhere.toml")
    (folder / "tale.toml").symlink_to(tmp_path / "elsewhere.toml")
    only(load_package(folder), "P017")
    (folder / "tale.toml").unlink()
    (folder / "tale.toml").mkdir()
    only(load_package(folder), "P003")


def test_a_pipe_is_not_waited_for(make: Make) -> None:
    folder = make("game")
    os.mkfifo(folder / "pipe.tale")
    assert only(load_package(folder), "P003").message == "`game/pipe.tale` is no ordinary file"


def test_no_rights(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make("game")
    (folder / "closed").mkdir()
    real = os.scandir

    def refusing(path: str | Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found = only(load_package(folder), "P003")
    assert found.message == "cannot read `game/closed`: permission denied"


def test_a_package_without_texts(make: Make) -> None:
    found = only(load_package(make("game", text=None)), "P023")
    assert found.severity == "warning"
    assert found.span.file == "game/tale.toml"


def test_a_broken_package_that_is_used_shows_its_own_findings(make: Make) -> None:
    (make("words") / "tale.toml").write_text("name = \n", "utf-8")
    found = only(load_package(make("top", uses=["words"])), "P004")
    assert found.span.file == "words/tale.toml"


def test_codes_are_in_order_and_complete() -> None:
    assert list(PACKAGE_CODES) == [f"P{number:03}" for number in range(1, len(PACKAGE_CODES) + 1)]
    assert len({info.name for info in PACKAGE_CODES.values()}) == len(PACKAGE_CODES)
    assert all(info.why and info.good and info.bad for info in PACKAGE_CODES.values())


def test_an_empty_file_is_told_but_a_comment_is_something(tmp_path: Path) -> None:
    (tmp_path / "tale.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "a.tale").write_text("", encoding="utf-8")
    (tmp_path / "b.tale").write_text(" \n\n", encoding="utf-8")
    (tmp_path / "c.tale").write_text("# Rooms come here.\n", encoding="utf-8")
    found = load_package(tmp_path).diagnostics
    assert [(d.code, Path(d.span.file).name) for d in found] == [("P024", "a.tale"), ("P024", "b.tale")]


def test_what_a_beginner_may_do_with_files_is_told_with_the_way_out(make: Make) -> None:
    folder = make("home", text=None)
    text = folder / "a.tale"
    text.write_bytes("kind Boat\n".encode("utf-16"))
    found = only(load_package(folder), "P020")
    assert (found.message, found.help) == ("the file is written in UTF-16", "save it as UTF-8")
    text.unlink()
    (folder / "story.txt").write_text("kind Boat\n")
    assert only(load_package(folder), "P023").help == "the ending of texts is `.tale`; rename `story.txt`"
    assert "`tale new NAME` makes one" in only(load_package("no_such_thing"), "P001").help
