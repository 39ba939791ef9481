"""`tale new`: a package that lints, tests and plays at once."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from talewright.cli.exit_codes import OK
from talewright.cli.help_page import Command
from talewright.cli.output import called, write_text
from talewright.cli.package_options import search_option
from talewright.dsl.packages.loader import bundled_packages, find_package

if TYPE_CHECKING:
    from talewright.dsl.packages.manifest import Manifest

TEMPLATES = Path(__file__).parent / "templates"
# A system may bring its own beginning of an adventure, as templates in a folder of this name.
STARTER = "starter"
_NAME = re.compile("[a-z][a-z0-9_-]{0,63}")

Texts = dict[str, str]


EXAMPLES = {
    "tale new moonlight": "Makes the folder `moonlight` with an adventure and a small system of its own.",
    "tale new night_ferry --system ferry_rules": "Makes an adventure for a system; `tale list` names the bundled ones.",
}


@click.command("new", cls=Command, examples=EXAMPLES)
@click.argument("name", metavar="NAME")
@click.option(
    "--kind", type=click.Choice(("adventure", "system")), help="What to make; an adventure by default."
)
@click.option(
    "--system", metavar="NAME", help="The system of the adventure; by default a small one of its own."
)
@search_option
def command(name: str, kind: str | None, system: str | None, search: tuple[str, ...]) -> int:
    """Make the folder NAME with a package that lints, tests and plays at once."""
    if not _NAME.fullmatch(name):
        raise click.UsageError(
            f"`{name}` cannot be the name of a package: lower-case letters, digits, `_` and `-`, "
            "beginning with a letter."
        )
    if kind == "system" and system is not None:
        raise click.UsageError("A system is written in words of its own: --system goes with adventures.")
    if name in bundled_packages():
        write_text(
            f"note: `{name}` is the name of a bundled package too. Where the folder {name} is, commands take the folder; "
            "elsewhere the name means the bundled one.\n",
            error=True,
        )
    target = Path(name)
    if target.exists() or target.is_symlink():
        raise click.UsageError(f"`{name}` is there already.")
    if kind == "system":
        texts = _system(name)
    elif system is None:
        texts = _adventure_with_system(name)
    else:
        texts = _adventure(name, system, search)
    _write(target, texts)
    write_text(f"made {name}: " + ", ".join(sorted(texts)) + f"\nnext: {called()} lint {name}\n")
    return OK


def _system(name: str) -> Texts:
    values = {"name": name, "title": _title(name), "type": "system"}
    return _rendered("manifest", values) | _rendered("words", values) | _rendered("story", values)


def _adventure_with_system(name: str) -> Texts:
    own = f"{name[:57]}-words"
    values = {"name": name, "title": _title(name), "type": "adventure", "uses": f"{own} >=0.1"}
    system = {"name": own, "title": f"{_title(name)}: Words and Rules", "type": "system"}
    inner = _rendered("manifest", system) | _rendered("words", system)
    texts = _rendered("manifest", values) | _rendered("story", values)
    return texts | {f"system/{file}": text for file, text in inner.items()}


def _adventure(name: str, system: str, search: tuple[str, ...]) -> Texts:
    found = find_package(system, Path.cwd() / name, search)
    if found is None:
        raise click.UsageError(f"There is no system `{system}`. {_offered()}")
    folder, manifest = found
    if manifest.type != "system":
        raise click.UsageError(f"`{system}` is an adventure. {_offered()}")
    values = {
        "name": name,
        "title": _title(name),
        "type": "adventure",
        "system": manifest.name,
        "uses": f"{manifest.name} >={_short(manifest)}",
    }
    starter = folder / STARTER
    story = _rendered_folder(starter, values) if starter.is_dir() else _rendered("bare", values)
    return _rendered("manifest", values) | story


def _short(manifest: Manifest) -> str:
    """The version without what comes after its second number."""
    return ".".join(re.findall("[0-9]+", manifest.version)[:2])


def _offered() -> str:
    """The bundled systems, as a sentence."""
    names = []
    for name, folder in bundled_packages().items():
        found = find_package(name, folder)
        if found is not None and found[1].type == "system":
            names.append(found[1].name)
    listed = ", ".join(sorted(set(names)))
    return f"Bundled systems: {listed}." if listed else "None is bundled."


def _title(name: str) -> str:
    return " ".join(word.capitalize() for word in re.split("[_-]+", name) if word)


def _rendered(group: str, values: Mapping[str, str]) -> Texts:
    return _rendered_folder(TEMPLATES / group, values)


def _rendered_folder(folder: Path, values: Mapping[str, str]) -> Texts:
    """The texts of all templates in a folder, by their names without the last suffix."""
    from jinja2 import StrictUndefined, TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    # A starter comes with a package, and a package must not run code when it is merely used.
    environment = SandboxedEnvironment(
        keep_trailing_newline=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    texts: Texts = {}
    for path in sorted(folder.glob("*.jinja")):
        try:
            texts[path.stem] = environment.from_string(path.read_text("utf-8")).render({"uses": "", **values})
        except (TemplateError, OSError, UnicodeDecodeError) as problem:
            raise click.ClickException(f"cannot use the template {path}: {problem}") from problem
    return texts


def _write(target: Path, texts: Texts) -> None:
    """Writes the folder whole or not at all."""
    workshop: Path | None = None
    try:
        workshop = Path(tempfile.mkdtemp(prefix=".tale-new-", dir=target.parent))
        made = workshop / target.name
        for file, text in texts.items():
            (made / file).parent.mkdir(parents=True, exist_ok=True)
            (made / file).write_text(text, "utf-8", newline="\n")
        made.rename(target)
    except OSError as problem:
        reason = (problem.strerror or "the system refuses").lower()
        raise click.ClickException(f"cannot make {target}: {reason}") from problem
    finally:
        if workshop is not None:
            shutil.rmtree(workshop, ignore_errors=True)
