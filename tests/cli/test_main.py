"""The `tale` command: arguments, exit codes, output, and how it meets the unexpected."""

from __future__ import annotations

import importlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

import talewright.compiler
from talewright.cli.command_table import COMMANDS, tale
from talewright.cli.help_page import Command
from talewright.cli.main import main
from talewright.cli.version import VERSION
from talewright.dsl.diagnostics import Diagnostic, Edit, Fix, Severity
from talewright.dsl.packages.loader import PackageSet, load_package
from talewright.dsl.source import Source, Span

MANIFEST = 'name = "game"\nversion = "0.1.0"\ntitle = "A Game"\ntype = "system"\n'


@dataclass
class FakeResult:
    document: dict[str, Any] | None
    diagnostics: list[Diagnostic]
    sources: dict[str, Source]
    packages: PackageSet


def found(severity: Severity, source: Source, word: str, fix: str | None = None) -> Diagnostic:
    at = source.text.index(word)
    span = source.span(at, at + len(word))
    fixes = (Fix("mend", (Edit(span, fix),)),) if fix is not None else ()
    return Diagnostic("T100", "test-word", severity, f"`{word}` is wrong", span, fixes=fixes)


class Compiler:
    """Stands for the compiler: each wrong word in a text is a finding of its own weight."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[str, ...]]] = []

    def __call__(
        self,
        path: str,
        *,
        search: tuple[str, ...] = (),
        cache: bool = True,
        document: bool = True,
        trees: bool = True,
    ) -> FakeResult:
        self.calls.append((path, tuple(search)))
        packages = load_package(path, search)
        findings = list(packages.diagnostics)
        for package in packages.packages:
            for source in package.sources:
                if "defect" in source.text:
                    raise RuntimeError("the wheels came off")
                findings += [found("error", source, "wrong")] if "wrong" in source.text else []
                findings += [found("warning", source, "odd")] if "odd" in source.text else []
                findings += [found("info", source, "note")] if "note" in source.text else []
                findings += [found("error", source, "teh", "the")] if "teh" in source.text else []
        bad = any(finding.severity == "error" for finding in findings)
        story = {"nodes": [{"id": "one", "title": "One"}], "edges": []}
        return FakeResult(None if bad else {"story": story}, findings, packages.sources(), packages)


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Compiler:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TALE_PATH", raising=False)
    monkeypatch.delenv("TALE_DEBUG", raising=False)
    stand_in = Compiler()
    monkeypatch.setattr(talewright.compiler, "compile_package", stand_in, raising=False)
    return stand_in


def module(monkeypatch: pytest.MonkeyPatch, name: str, **content: Any) -> None:
    """Puts a module of a name in the place of the real one."""
    stand_in = ModuleType(name)
    stand_in.__dict__.update(content)
    monkeypatch.setitem(sys.modules, name, stand_in)
    parent, _, last = name.rpartition(".")
    monkeypatch.setattr(importlib.import_module(parent), last, stand_in, raising=False)


def package(text: str = "# fine\n", folder: str = "game", manifest: str = MANIFEST) -> Path:
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    (place / "tale.toml").write_text(manifest, "utf-8")
    (place / "story.tale").write_text(text, "utf-8")
    return place


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "talewright.cli", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


# ---------------------------------------------------------------- the command itself


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tale {VERSION}\n"
    assert main(["--version", "-h"]) == 0


def test_version_imports_nothing_heavy() -> None:
    code = (
        "import sys; from talewright.cli.main import main; main(['--version']);"
        "print(sorted({'click', 'rich', 'lark', 'jsonschema', 'jsonschema_rs', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_version_is_quick() -> None:
    def seconds(*arguments: str) -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
        return time.perf_counter() - begin

    bare = min(seconds("-c", "pass") for _ in range(5))
    version = min(seconds("-m", "talewright.cli", "--version") for _ in range(5))
    assert version <= 6 * bare


def test_help_lists_every_command_without_importing_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for name, _, about in COMMANDS:
        assert f"  {name} " in text
        assert about.split()[0] in text


@pytest.mark.parametrize("name", [name for name, _, _ in COMMANDS])
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"Usage: tale {name} ")
    assert f"\n  tale {name}" in text.partition("\nExample")[2]


@pytest.mark.parametrize("name", [name for name, _, _ in COMMANDS])
def test_examples_are_calls_that_the_command_understands(name: str) -> None:
    command = tale.get_command(click.Context(tale), name)
    assert isinstance(command, Command)
    for call in command.examples:
        program, called, *arguments = shlex.split(call)
        assert (program, called) == ("tale", name)
        command.make_context(name, arguments)


def test_options_of_playtest_stand_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playtest", "--help"]) == 0
    text = capsys.readouterr().out
    assert text.count("--games N ") == 1
    assert (
        text.index("What is played:")
        < text.index("--games N")
        < text.index("Who plays:")
        < text.index("--bot")
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lnt"], "There is no command `lnt`. Did you mean `lint`?"),
        (["lint", "--format", "xml"], "'xml' is not one of"),
        (["lint", "--nonsense"], "No such option"),
        (["compile"], "Missing argument 'PATH'"),
        ([], "Usage: tale"),
    ],
)
def test_wrong_usage_is_exit_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_a_defect_is_exit_code_3_without_a_traceback(
    compiler: Compiler, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package("defect\n")
    assert main(["lint", "game"]) == 3
    text = capsys.readouterr().err
    assert "RuntimeError: the wheels came off" in text
    assert "Please report it" in text
    assert f"tale {VERSION}" in text
    assert "tale lint game" in text
    assert "Traceback" not in text
    monkeypatch.setenv("TALE_DEBUG", "1")
    assert main(["lint", "game"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_an_interruption_is_clean(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(talewright.compiler, "compile_package", interrupted, raising=False)
    package()
    assert main(["lint", "game"]) == 130
    assert capsys.readouterr().err.strip() == "tale: stopped"


def test_a_real_interruption_of_a_process(tmp_path: Path) -> None:
    code = (
        # Whoever starts the tests may ignore interruptions, and what they start inherits that.
        "import signal, sys, time, talewright.compiler\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def wait(*a, **k):\n    print('ready', flush=True)\n    time.sleep(30)\n"
        "talewright.compiler.compile_package = wait\n"
        "from talewright.cli.main import main\n"
        "sys.exit(main(['compile', 'x']))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert errors.strip() == "tale: stopped"


def test_a_closed_pipe_is_clean(tmp_path: Path) -> None:
    # `explain` writes at once; the reader is gone before that.
    code = (
        "import sys\n"
        "from talewright.cli.main import main\n"
        "sys.stdin.read()\n"
        "sys.exit(main(['explain', 'P001']))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdout.close()
    process.stdin.close()
    errors = process.stderr.read()
    assert process.wait(timeout=30) == 141
    assert errors == b""


# ---------------------------------------------------------------- lint


def test_lint_of_a_clean_package(compiler: Compiler, capsys: pytest.CaptureFixture[str]) -> None:
    package()
    assert main(["lint", "game"]) == 0
    assert capsys.readouterr().out == "no findings\n"


def test_lint_shows_findings_and_fails(compiler: Compiler, capsys: pytest.CaptureFixture[str]) -> None:
    package("all wrong\n")
    assert main(["lint", "game"]) == 1
    assert capsys.readouterr().out == (
        "error[T100]: `wrong` is wrong\n --> game/story.tale:1:5\n"
        "  |\n1 | all wrong\n  |     ^^^^^\n\n1 error\n"
    )


@pytest.mark.parametrize(
    ("text", "fail_on", "code"),
    [
        ("odd", "error", 0),
        ("odd", "warning", 1),
        ("note", "warning", 0),
        ("note", "info", 1),
        ("wrong", "error", 1),
    ],
)
def test_lint_fail_on(compiler: Compiler, text: str, fail_on: str, code: int) -> None:
    package(text)
    assert main(["lint", "--fail-on", fail_on, "game"]) == code


def test_lint_without_a_path_means_here(
    compiler: Compiler, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(package("odd\n"))
    assert main(["lint", "--format", "github"]) == 0
    assert capsys.readouterr().out.startswith("::warning file=story.tale,line=1,col=1,")


def test_lint_of_several_paths_shows_each_finding_once(
    compiler: Compiler, capsys: pytest.CaptureFixture[str]
) -> None:
    package("wrong\n")
    package("wrong\n", "other", MANIFEST.replace('"game"', '"other"'))
    assert main(["lint", "--format", "json", "game", "other", "game/story.tale"]) == 1
    content = json.loads(capsys.readouterr().out)
    assert [entry["file"] for entry in content["diagnostics"]] == ["game/story.tale", "other/story.tale"]


def test_lint_of_a_folder_of_packages_means_all(compiler: Compiler) -> None:
    package("# a\n", "shelf/a", MANIFEST.replace('"game"', '"a"'))
    package("# b\n", "shelf/deep/b", MANIFEST.replace('"game"', '"b"'))
    assert main(["lint", "shelf"]) == 0
    assert [path for path, _ in compiler.calls] == ["shelf/a", "shelf/deep/b"]


def test_lint_of_what_is_not_there(compiler: Compiler, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "nowhere"]) == 2
    assert capsys.readouterr().out.startswith("error[P001]: there is no `nowhere`")


def test_lint_passes_the_search_path(compiler: Compiler) -> None:
    package()
    Path("shelf").mkdir()
    assert main(["lint", "--path", "shelf", "--path", "more", "game"]) == 0
    assert compiler.calls == [("game", ("shelf", "more"))]


def test_lint_fix_changes_the_package_and_nothing_it_uses(
    compiler: Compiler, capsys: pytest.CaptureFixture[str]
) -> None:
    package("teh words, teh rules\r\n", "words", MANIFEST.replace('"game"', '"words"'))
    package("teh one and teh other\r\n", "game", MANIFEST + 'uses = ["words"]\n')
    assert main(["lint", "--fix", "game"]) == 1
    assert Path("game/story.tale").read_bytes() == b"the one and the other\r\n"
    assert Path("words/story.tale").read_bytes() == b"teh words, teh rules\r\n"
    assert "words/story.tale:1:1" in capsys.readouterr().out


# ---------------------------------------------------------------- fmt


@pytest.fixture
def layout(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    def format_text(text: str, name: str) -> tuple[str, list[Diagnostic]]:
        if "wrong" in text:
            return text, [found("error", Source(name, text), "wrong")]
        return "\n".join(line.rstrip() for line in text.splitlines()) + "\n", []

    module(monkeypatch, "talewright.dsl.format.formatter", format_text=format_text)


@pytest.mark.usefixtures("layout")
def test_fmt_changes_files_once(capsys: pytest.CaptureFixture[str]) -> None:
    folder = package("one   \ntwo\n")
    folder.joinpath("story.tale").chmod(0o640)
    assert main(["fmt", "game"]) == 0
    assert capsys.readouterr().out == "changed game/story.tale\n"
    assert folder.joinpath("story.tale").read_text() == "one\ntwo\n"
    assert folder.joinpath("story.tale").stat().st_mode & 0o777 == 0o640
    assert main(["fmt", "game"]) == 0
    assert capsys.readouterr().out == ""
    assert sorted(path.name for path in folder.iterdir()) == ["story.tale", "tale.toml"]


@pytest.mark.usefixtures("layout")
def test_fmt_check_and_diff_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    folder = package("one   \ntwo")
    assert main(["fmt", "--check", "game"]) == 1
    assert capsys.readouterr().out == "would change game/story.tale\n"
    assert main(["fmt", "--diff", "game"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "--- game/story.tale",
        "+++ game/story.tale",
        "@@ -1,2 +1,2 @@",
        "-one   ",
        "-two",
        "\\ No newline at end of file",
        "+one",
        "+two",
    ]
    assert folder.joinpath("story.tale").read_text() == "one   \ntwo"


@pytest.mark.usefixtures("layout")
def test_fmt_leaves_a_file_with_errors_and_does_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    folder = package("wrong   \n")
    folder.joinpath("other.tale").write_text("fine   \n")
    assert main(["fmt", "game"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "changed game/other.tale\n"
    assert "error[T100]" in captured.err
    assert folder.joinpath("story.tale").read_text() == "wrong   \n"


@pytest.mark.usefixtures("layout")
def test_fmt_of_one_file_and_of_wrong_paths(capsys: pytest.CaptureFixture[str]) -> None:
    folder = package("a  \n")
    folder.joinpath("b.tale").write_text("b  \n")
    assert main(["fmt", "game/b.tale"]) == 0
    assert folder.joinpath("story.tale").read_text() == "a  \n"
    assert main(["fmt", "nowhere"]) == 2
    assert "P001" in capsys.readouterr().err
    assert main(["fmt", "game/tale.toml"]) == 2
    assert "no .tale file" in capsys.readouterr().err


@pytest.mark.usefixtures("layout")
def test_fmt_drops_a_byte_order_mark() -> None:
    folder = package()
    folder.joinpath("story.tale").write_bytes(b"\xef\xbb\xbfone\n")
    assert main(["fmt", "game"]) == 0
    assert folder.joinpath("story.tale").read_bytes() == b"one\n"


# ---------------------------------------------------------------- compile, graph, explain


@pytest.fixture
def documents(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(document: dict[str, Any]) -> bytes:
        return json.dumps(document).encode()

    def from_elsewhere(data: bytes, name: str) -> tuple[dict[str, Any] | None, list[Diagnostic]]:
        if b"story" in data:
            return json.loads(data), []
        span = Span(name, 1, 1, 1, 2)
        return None, [Diagnostic("D001", "no-story", "error", "there is no story", span)]

    module(
        monkeypatch,
        "talewright.compiler.document.document_builder",
        write=write,
        from_elsewhere=from_elsewhere,
    )


@pytest.mark.usefixtures("documents")
def test_compile_to_output_and_file(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    package("odd\n")
    assert main(["compile", "game"]) == 0
    captured = capfdbinary.readouterr()
    assert json.loads(captured.out)["story"]["nodes"][0]["id"] == "one"
    assert b"warning[T100]" in captured.err
    assert main(["compile", "game", "-o", "game.json"]) == 0
    assert capfdbinary.readouterr().out == b""
    assert Path("game.json").read_bytes() == captured.out


@pytest.mark.usefixtures("documents")
def test_compile_of_wrong_and_missing_packages(capsys: pytest.CaptureFixture[str]) -> None:
    package("wrong\n")
    assert main(["compile", "game", "-o", "out.json"]) == 1
    assert not Path("out.json").exists()
    assert main(["compile", "nowhere"]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("documents")
def test_compile_to_a_folder_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    package()
    assert main(["compile", "game", "-o", "no/such/place.json"]) == 2
    assert "cannot write no/such/place.json: no such file or directory" in capsys.readouterr().err


@pytest.mark.usefixtures("documents")
def test_compile_check(capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.json").write_text('{"story": {}}')
    Path("bad.json").write_text("{}")
    assert main(["compile", "--check", "good.json"]) == 0
    assert main(["compile", "--check", "bad.json"]) == 1
    assert "error[D001]: there is no story\n --> bad.json:1:1" in capsys.readouterr().out
    assert main(["compile", "--check", "none.json"]) == 2
    assert main(["compile", "--check", "good.json", "-o", "x"]) == 2


@pytest.mark.parametrize(
    ("arguments", "begins"),
    [
        ([], "<svg"),
        (["--format", "dot"], "digraph"),
        (["--format", "mermaid"], "flowchart"),
        (["-o", "story.gv"], "digraph"),
        (["-o", "story.mmd"], "flowchart"),
        (["-o", "story.mmd", "--format", "svg"], "<svg"),
    ],
)
def test_graph(
    compiler: Compiler, arguments: list[str], begins: str, capsys: pytest.CaptureFixture[str]
) -> None:
    package()
    assert main(["graph", "game", *arguments]) == 0
    text = Path(arguments[1]).read_text() if "-o" in arguments else capsys.readouterr().out
    assert text.startswith(begins)


def test_graph_of_a_wrong_package(compiler: Compiler) -> None:
    package("wrong\n")
    assert main(["graph", "game"]) == 1


def test_explain(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from talewright.dsl.packages.package_codes import PACKAGE_CODES, CodeInfo

    info = CodeInfo(
        "F301", "band-gap", "error", "A total in the gap\nhits no band.", "..4 -> a", "\n  x:\n    y\n"
    )
    module(monkeypatch, "talewright.compiler.checks", catalogue=lambda: {"F301": info, **PACKAGE_CODES})
    for code in ("F301", "f301", "band-gap"):
        assert main(["explain", code]) == 0
        assert capsys.readouterr().out == (
            "F301 band-gap (error)\n\nA total in the gap hits no band.\n\n"
            "Not so:\n\n    x:\n      y\n\nBut so:\n\n    ..4 -> a\n"
        )
    assert main(["explain", "P012"]) == 0
    assert capsys.readouterr().out.startswith("P012 package-cycle (error)\n")
    assert main(["explain", "F031"]) == 2
    assert "There is no finding `F031`. Did you mean `F301`?" in capsys.readouterr().err


def test_the_module_runs_as_a_process() -> None:
    assert run("--version").stdout == f"tale {VERSION}\n"
    assert run("nonsense").returncode == 2


@pytest.mark.parametrize(("variable", "program"), [("./tale", "./tale"), ("", "tale")])
def test_usage_names_the_program_as_it_was_called(
    variable: str, program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TALE_CALLED", variable)
    assert main(["lnt"]) == 2
    assert f"Usage: {program} [OPTIONS]" in capsys.readouterr().err


def test_a_refusal_on_a_terminal_ends_its_lines_between_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "50")
    assert main(["play", "salem", "--chapter", "nowhere-at-all"]) == 2
    told = capsys.readouterr().err
    assert "There is no chapter `nowhere-at-all`" in " ".join(told.split())
    assert max(map(len, told.splitlines())) <= 50
