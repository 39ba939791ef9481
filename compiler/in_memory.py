"""Packages that exist only in memory: for samples, documents and tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from talewright.compiler.passes import CompileResult, compile_packages
from talewright.dsl.packages.loader import Package, PackageSet
from talewright.dsl.packages.manifest import read_manifest
from talewright.dsl.source import Source

NAME = "sample"
FILE = "sample.tale"


def memory_package(
    files: Mapping[str, str], *, name: str = NAME, type: str = "system", uses: tuple[str, ...] = ()
) -> Package:
    """A package of the texts given, by file name."""
    lines = [f'name = "{name}"', 'version = "0.1.0"', 'title = "A Sample"', f'type = "{type}"']
    lines.append("uses = [" + ", ".join(f'"{use}"' for use in uses) + "]")
    manifest, findings = read_manifest(Source("tale.toml", "\n".join(lines) + "\n"))
    if manifest is None:
        raise ValueError(findings[0].message)
    sources = tuple(Source(file, text) for file, text in files.items())
    return Package(name, manifest.version, type, manifest.title, Path(name), manifest, sources, uses)


def compile_together(*packages: Package) -> CompileResult:
    """Compiles packages, each after those it uses; the last is the main one."""
    return compile_packages(PackageSet(packages, packages[-1], ()))


def compile_text(text: str) -> CompileResult:
    """Compiles a text as a system of one file."""
    return compile_together(memory_package({FILE: text}))


def plain(sample: str) -> str:
    """A sample without the indentation and the empty lines around it."""
    return dedent(sample).strip("\n") + "\n"
