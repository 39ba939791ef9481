"""Comments that allow a finding, and the severities of `tale.toml`."""

from __future__ import annotations

import pytest

from talewright.compiler.allowed_findings import settle
from talewright.compiler.in_memory import compile_text, compile_together, memory_package
from talewright.dsl.packages.manifest import read_manifest
from talewright.dsl.source import Source
from talewright.report.findings import apply_fixes
from talewright.schemas.records import replace


def codes(text: str) -> list[str]:
    """The codes found in a text, matters of other checks left out."""
    return [d.code for d in compile_text(text).diagnostics if d.code[0] in "LN" and d.code != "L701"]


ALLOWED = {
    "on its line": ("kind Old_Coin  # tale: allow L703 as printed\n", []),
    "on the line before": ("# tale: allow L703 as printed\nkind Old_Coin\n", []),
    "above other comments": ("# tale: allow L703 as printed\n# A coin.\nkind Old_Coin\n", []),
    "in the whole file": ("# Coins.\n# tale: allow-file L703 as printed\n\nkind A_B\nkind C_D\n", []),
    "too late in the file": (
        "kind A_B\n# tale: allow-file L703 as printed\nkind C_D\n",
        ["L703", "L703", "L707"],
    ),
    "on another line": ("# tale: allow L703 as printed\nkind Coin\nkind Old_Coin\n", ["L703", "L708"]),
    "with another code": ("kind Old_Coin  # tale: allow L704 as printed\n", ["L703", "L708"]),
    "inside a text": ('kind Old_Coin:\n    """# tale: allow L703 as printed"""\n', ["L703"]),
    "behind another comment": ("kind Old_Coin  # A coin.  # tale: allow L703 as printed\n", []),
    "misspelt": ("kind Old_Coin  # tale: alow L703 as printed\n", ["L703", "L707"]),
    "with nothing": ("kind Coin  # tale:\n", ["L707"]),
    "with a code alone": ("kind Old_Coin  # tale: allow L703\n", ["L706"]),
    "while something is broken": ("kind Coin  # tale: allow L703 as printed\nstate x: Coyn\n", ["N203"]),
    "for an error": ("state x: Coyn  # tale: allow N203 as printed\n", ["L707", "N203"]),
}


@pytest.mark.parametrize("where", ALLOWED)
def test_a_comment_allows_a_finding(where: str) -> None:
    text, expected = ALLOWED[where]
    assert sorted(codes(text)) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("kind Coin  # tale: allow L703 as printed\n", "kind Coin\n"),
        ("# tale: allow L703 as printed\nkind Coin\n", "kind Coin\n"),
        ("kind Coin\n# tale: allow L703 as printed", "kind Coin\n"),
        ("kind Coin  # Old.  # tale: allow L703 as printed\n", "kind Coin  # Old.\n"),
    ],
)
def test_an_unused_allowance_is_taken_away_by_its_fix(before: str, after: str) -> None:
    result = compile_text(before)
    unused = [d for d in result.diagnostics if d.code == "L708"]
    assert list(apply_fixes(result.sources, unused).values()) == [after]


def test_an_unused_allowance_of_a_used_package_is_its_own_affair() -> None:
    system = memory_package({"s.tale": "kind Coin  # tale: allow L703 as printed\n"}, name="system")
    adventure = memory_package(
        {"a.tale": "Coin penny\n"}, name="adventure", type="adventure", uses=("system",)
    )
    assert not [d for d in compile_together(system, adventure).diagnostics if d.code == "L708"]


def settled(lint: str, text: str) -> list[tuple[str, str]]:
    """Codes and severities of a text under a `[lint]` table."""
    package = memory_package({"a.tale": text})
    manifest, _ = read_manifest(Source("tale.toml", package.manifest.source.text + "[lint]\n" + lint))
    assert manifest is not None
    result = compile_together(replace(package, manifest=manifest))
    return [(d.code, d.severity) for d in result.diagnostics if d.code[0] in "LNT" and d.code != "L701"]


def test_severities_come_from_the_manifest() -> None:
    text = "kind Old_Coin\n"
    assert settled("", text) == [("L703", "info")]
    assert settled('L703 = "error"\n', text) == [("L703", "error")]
    assert settled('L703 = "off"\n', text) == []
    assert settled('L703 = "off"\n', "kind Old_Coin  # tale: allow L703 as printed\n") == []


def test_what_keeps_a_package_from_compiling_stays_an_error() -> None:
    found = settled('N203 = "off"\n', "state x: Coyn\n")
    assert sorted(found) == [("L709", "warning"), ("N203", "error")]


def test_settings_of_unknown_codes_are_found_where_they_stand() -> None:
    package = memory_package({"a.tale": "kind Coin\n"})
    text = package.manifest.source.text + '[lint]\nL703 = "off"\nL999 = "off"\n'
    manifest, _ = read_manifest(Source("tale.toml", text))
    assert manifest is not None
    (finding,) = settle([], [], manifest)
    assert (finding.code, finding.span.line) == ("L709", text.splitlines().index('L999 = "off"') + 1)
