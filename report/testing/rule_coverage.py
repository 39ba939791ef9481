"""Catalogues of rules: which of their ids the tests cover, topic by topic."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from talewright.dsl.packages.files import regular_bytes
from talewright.report.testing.outcomes import Tested
from talewright.schemas.records import field, record

MAX_BYTES = 64 * 1024 * 1024
NO_TOPIC = "other"


# What a catalogue may mark: a custom of the table, a measure, something in the box. No test can show these.
APART = ("custom", "measure", "box")


@record(frozen=True)
class Catalogue:
    """The topic of each rule id, and its text where it has one; `apart` are those that no test is asked for."""

    topics: dict[str, str]
    apart: frozenset[str] = frozenset()
    texts: dict[str, str] = field(default_factory=dict)


class CatalogueError(Exception):
    """A catalogue cannot be used, and why."""


@record
class Topic:
    """The ids of one topic, and those no passing test covers."""

    ids: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


@record
class Coverage:
    """How far the tests cover a catalogue; `unknown` are ids that tests name and it does not have."""

    catalogue: str
    topics: dict[str, Topic]
    unknown: list[str]
    # Customs and the like: how many, and how many of them a test names all the same.
    customs: int = 0
    customs_named: int = 0

    @property
    def total(self) -> int:
        """How many ids the catalogue has."""
        return sum(len(topic.ids) for topic in self.topics.values())

    @property
    def missing(self) -> list[str]:
        """The ids no passing test covers, in the catalogue's order."""
        return [rule for topic in self.topics.values() for rule in topic.missing]

    def as_json(self) -> dict[str, Any]:
        """The coverage as plain data."""
        missing = self.missing
        return {
            "catalogue": self.catalogue,
            "total": self.total,
            "covered": self.total - len(missing),
            "missing": missing,
            "unknown": self.unknown,
            "customs": {"total": self.customs, "covered": self.customs_named},
            "by_topic": {
                name: {
                    "total": len(topic.ids),
                    "covered": len(topic.ids) - len(topic.missing),
                    "missing": topic.missing,
                }
                for name, topic in self.topics.items()
            },
        }


def read_catalogue(path: Path) -> Catalogue:
    """The topic of each rule id: `rules` is a list of entries with `id` and `topic`."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CatalogueError(f"{path} is too large for a catalogue")
        data = regular_bytes(path)
    except OSError as problem:
        reason = (problem.strerror or "it fails").lower()
        raise CatalogueError(f"cannot read {path}: {reason}") from None
    try:
        whole = yaml.load(data, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as problem:
        reason = " ".join(str(problem).split())[:200]
        raise CatalogueError(f"{path} is no YAML: {reason}") from None
    rules = whole.get("rules") if isinstance(whole, dict) else None
    if not isinstance(rules, list):
        raise CatalogueError(f"{path} has no list of `rules`, each with an `id` and a `topic`")
    topics: dict[str, str] = {}
    apart: set[str] = set()
    texts: dict[str, str] = {}
    for position, rule in enumerate(rules, 1):
        if not isinstance(rule, dict) or not isinstance(rule.get("id"), str):
            raise CatalogueError(f"rule {position} of {path} has no `id`")
        if rule["id"] in topics:
            raise CatalogueError(f"{path} has two rules with the id {rule['id']}")
        topics[rule["id"]] = str(rule.get("topic") or NO_TOPIC)
        if isinstance(rule.get("rule"), str):
            texts[rule["id"]] = rule["rule"].strip()
        if any(rule.get(mark) is True for mark in APART):
            apart.add(rule["id"])
    return Catalogue(topics, frozenset(apart), texts)


def coverage(name: str, catalogue: Catalogue, tests: Iterable[Tested]) -> Coverage:
    """What passing tests cover of a catalogue."""
    covered: dict[str, None] = {}
    named: dict[str, None] = {}
    for test in tests:
        named.update(dict.fromkeys(test.covers))
        if test.passed:
            covered.update(dict.fromkeys(test.covers))
    topics: dict[str, Topic] = {}
    for rule, topic in catalogue.topics.items():
        if rule in catalogue.apart:
            continue
        kept = topics.setdefault(topic, Topic())
        kept.ids.append(rule)
        if rule not in covered:
            kept.missing.append(rule)
    unknown = [rule for rule in named if rule not in catalogue.topics]
    return Coverage(name, topics, unknown, len(catalogue.apart), len(catalogue.apart & covered.keys()))
