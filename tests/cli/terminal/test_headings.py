"""The title of a page stands once: above the table, or at the head of what happened."""

from __future__ import annotations

import pytest
from rich.text import Text

from talewright.cli.terminal.table_changes import without_heading

TABLE = ["== The Keeper ====", "nerve 4/6"]


@pytest.mark.parametrize(
    ("news", "left"),
    [
        (["The Keeper", "", "He wakes badly."], ["", "He wakes badly."]),
        (["", "The Keeper", "", "He wakes badly."], ["", "He wakes badly."]),
        (["He wakes badly."], ["He wakes badly."]),
        (["", "The Keep", "It is dark."], ["", "The Keep", "It is dark."]),
        (["", ""], ["", ""]),
        ([], []),
    ],
)
def test_a_title_above_the_table_is_not_said_again(news: list[str], left: list[str]) -> None:
    told = without_heading([Text(line) for line in news], [Text(line) for line in TABLE])
    assert [line.plain for line in told] == left
