"""Catalogues of rules: which of their ids the tests cover, topic by topic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from talewright.report.testing.outcomes import Tested

MAX_BYTES = 64 * 1024 * 1024
NO_TOPIC = "other"


class CatalogueError(Exception):
    """A catalogue cannot be used, and why."""


@dataclass(slots=True)
class Topic:
    """The ids of one topic, and those no passing test covers."""

    ids: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Coverage:
    """How far the tests cover a catalogue; `unknown` are ids that tests name and it does not have."""

    catalogue: str
    topics: dict[str, Topic]
    unknown: list[str]

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
            "by_topic": {
                name: {
                    "total": len(topic.ids),
                    "covered": len(topic.ids) - len(topic.missing),
                    "missing": topic.missing,
                }
                for name, topic in self.topics.items()
            },
        }


def read_catalogue(path: Path) -> dict[str, str]:
    """The topic of each rule id: `rules` is a list of entries with `id` and `topic`."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CatalogueError(f"{path} is too large for a catalogue")
        data = path.read_bytes()
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
    for position, rule in enumerate(rules, 1):
        if not isinstance(rule, dict) or not isinstance(rule.get("id"), str):
            raise CatalogueError(f"rule {position} of {path} has no `id`")
        if rule["id"] in topics:
            raise CatalogueError(f"{path} has two rules with the id {rule['id']}")
        topics[rule["id"]] = str(rule.get("topic") or NO_TOPIC)
    return topics


def coverage(name: str, catalogue: dict[str, str], tests: Iterable[Tested]) -> Coverage:
    """What passing tests cover of a catalogue."""
    covered: dict[str, None] = {}
    named: dict[str, None] = {}
    for test in tests:
        named.update(dict.fromkeys(test.covers))
        if test.passed:
            covered.update(dict.fromkeys(test.covers))
    topics: dict[str, Topic] = {}
    for rule, topic in catalogue.items():
        kept = topics.setdefault(topic, Topic())
        kept.ids.append(rule)
        if rule not in covered:
            kept.missing.append(rule)
    return Coverage(name, topics, [rule for rule in named if rule not in catalogue])
