"""Brings documents of older versions up to the present one, one version at a time.

Version 0 had neither the text catalogue with the ids of texts, nor the schemas of kinds, nor the locales.
Version 1 gave locals by their names alone, and named the verb after which tests begin instead of its actions.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from talewright.schemas.kinds import kind_schemas
from talewright.schemas.texts import add_texts

OLDEST = 0


def upgrade(document: dict[str, Any]) -> dict[str, Any]:
    """The document in the present version; the one given stays as it is."""
    version = document.get("version")
    if type(version) is not int or version < OLDEST or version > len(_STEPS):
        raise ValueError(f"unknown version {version!r}")
    made = deepcopy(document) if version < len(_STEPS) else document
    for step in _STEPS[version:]:
        try:
            made = step(made)
        except (KeyError, TypeError, AttributeError, ValueError) as problem:
            raise ValueError("it does not have the shape of its version") from problem
    return made


def _from_0(document: dict[str, Any]) -> dict[str, Any]:
    content = document["content"]
    texts = add_texts(content)
    return {**document, "version": 1, "locales": ["en"], "texts": texts, "schemas": kind_schemas(content)}


def _from_1(document: dict[str, Any]) -> dict[str, Any]:
    content = document["content"]
    verb = content.pop("start_after", None)
    content["start_after"] = [action["id"] for action in content["actions"] if action["verb"] == verb]
    stack: list[Any] = [content]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            named = value.get("locals")
            if isinstance(named, list):
                value["locals"] = [{"name": name, "type": "any"} for name in named]
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
    return {**document, "version": 2}


_STEPS: tuple[Callable[[dict[str, Any]], dict[str, Any]], ...] = (_from_0, _from_1)
