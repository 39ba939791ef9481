"""What the pages about checks and playtests promise is so."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from talewright.cli.command_table import tale
from talewright.cli.commands.playtest_plan import _KEPT
from talewright.schemas.nodes.codec import read, write
from talewright.schemas.nodes.operators import Add
from tests.report.playtest.test_statistics import ROUNDS
from tests.report.playtest.tiny import playtest

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(node: Any) -> list[str]:
    """Every call of `tale` in a workflow or a configuration of hooks."""
    if isinstance(node, dict):
        return [call for value in node.values() for call in commands(value)]
    if isinstance(node, list):
        return [call for value in node for call in commands(value)]
    return [line for line in str(node).splitlines() if line.startswith("tale ")]


def test_every_command_of_the_workflow_exists() -> None:
    workflow, hooks = (yaml.safe_load(text) for text in blocks("ci.md", "yaml"))
    calls = [*commands(workflow), *commands(hooks)]
    assert len(calls) == 6
    context = click.Context(tale)
    for call in calls:
        _, name, *arguments = shlex.split(call)
        command = tale.get_command(context, name)
        assert command is not None, call
        known = {option for parameter in command.params for option in parameter.opts}
        assert {argument for argument in arguments if argument.startswith("--")} <= known, call


def test_the_settings_are_those_of_the_command() -> None:
    (text,) = blocks("ci.md", "toml")
    assert tomllib.loads(text)["playtest"].keys() <= _KEPT.keys()
    named = re.search(r"Known are (.*?);", (DOCS / "ci.md").read_text("utf-8"), re.DOTALL)
    assert named is not None
    assert set(re.findall(r"`(\w+)`", named[1])) == _KEPT.keys()


@pytest.mark.parametrize("block", blocks("playtest.md", "python"))
def test_the_bot_of_the_page_is_a_bot(block: str) -> None:
    made: dict[str, Any] = {}
    exec(block, made)
    from talewright.runtime.session import Option

    class Asked:
        options = (Option("go", 1, "Go"), Option("pass", None, "Pass"))

    assert made["Cautious"]().choose(Asked()) == 1


def test_the_query_of_the_page_finds_places(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    file = tmp_path / "games.db"
    call = ["playtest", "salem", "--games", "10", "--db", str(file)]
    subprocess.run([sys.executable, "-m", "talewright.cli", *call], check=True, capture_output=True)
    (query,) = blocks("playtest.md", "sql")
    rows = duckdb.connect(str(file), read_only=True).execute(query).fetchall()
    assert len(rows) > 2
    assert all(0 <= won <= 1 <= times for _, won, times in rows)


def test_the_node_of_the_page_can_be_read() -> None:
    (text,) = blocks("document.md", "json")
    assert write(read(Add, json.loads(text))) == json.loads(text)


def test_the_page_names_every_part_of_the_result() -> None:
    named = set(re.findall(r"`(\w+)`", (DOCS / "playtest.md").read_text("utf-8")))
    plain = {"seed", "bot", "games", "finished", "errors"}
    assert set(playtest(ROUNDS, 5)) - plain <= named
