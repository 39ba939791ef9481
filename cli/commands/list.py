"""`tale list`: the bundled games, a line each."""

from __future__ import annotations

import json
from pathlib import Path

import click

from talewright.cli.exit_codes import OK
from talewright.cli.help_page import Command
from talewright.cli.output import called, write_data, write_text
from talewright.dsl.packages.loader import bundled_packages, load_package

EXAMPLES = {
    "tale list": "Names every bundled game, with a line about it.",
}


@click.command("list", cls=Command, examples=EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="Show the packages as JSON.")
def command(as_json: bool) -> int:
    """Name the packages that come with the toolkit: systems, and the adventures written for them."""
    rows = [_row(name, folder) for name, folder in _by_name().items()]
    if as_json:
        write_data(json.dumps({"version": 1, "packages": rows}, indent=2, ensure_ascii=False) + "\n")
        return OK
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        of = f"adventure for {row['system']}" if row["system"] else row["type"]
        write_text(f"{row['name']:<{width}}  {row['title']} ({of})\n")
    write_text(f"\nplay one with: {called()} play NAME\n")
    return OK


def _by_name() -> dict[str, Path]:
    """Each bundled package under its own name, adventures below their system."""
    folders = dict.fromkeys(bundled_packages().values())
    names = {main.name: folder for folder in folders if (main := load_package(folder).main) is not None}
    return dict(sorted(names.items(), key=lambda entry: _order(entry[1])))


def _order(folder: Path) -> tuple[str, bool, str]:
    main = load_package(folder).main
    assert main is not None
    return (main.uses[0] if main.uses else main.name), bool(main.uses), main.name


def _row(name: str, folder: Path) -> dict[str, str]:
    main = load_package(folder).main
    assert main is not None
    system = main.uses[0] if main.type == "adventure" and main.uses else ""
    return {"name": name, "title": main.title, "type": main.type, "system": system, "version": main.version}
