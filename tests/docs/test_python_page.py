"""The samples of `docs/python.md`, run one after the other as a reader would."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_samples_run_from_top_to_bottom() -> None:
    text = PAGE.read_text(encoding="utf-8")
    space: dict[str, Any] = {}
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    assert len(blocks) >= 7
    for block in blocks:
        above = "\n" * text[: block.start(1)].count("\n")
        exec(compile(above + block[1], str(PAGE), "exec", dont_inherit=True), space)
