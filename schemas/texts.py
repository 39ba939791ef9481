"""The text catalogue: every text that a player reads, by an id made of names and words, never of positions.

A text that belongs to a name has that name's id (`thing.lamp.title`). Any other has the id of what it
stands in, its part there and its own first words (`action.enter/to.choice.hold_your_ground`), with a few
signs of its digest where the words alone do not say it all. So an id survives everything but a change of
its own text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

_SINGULAR = {
    "options": "option",
    "kinds": "kind",
    "traits": "trait",
    "teams": "team",
    "tokens": "token",
    "tracks": "track",
    "dice": "die",
    "states": "state",
    "piles": "pile",
    "movements": "movement",
    "payments": "payment",
    "periods": "period",
    "menus": "menu",
    "values": "value",
    "tables": "table",
    "actions": "action",
    "things": "thing",
    "measures": "measure",
}
Place = tuple[
    Any, str, str | None
]  # a value, the name above it, and its part there; none when the name says it all
_WORDS = re.compile(r"[a-z0-9]+")
_SHOWN = re.compile(r"\{\d+\}")
_SLUG_WORDS = 6


def template(parts: list[Any]) -> str:
    """A text as translators see it: `{1}`, `{2}` stand for what is shown there."""
    made = []
    shown = 0
    for part in parts:
        if isinstance(part, str):
            made.append(part.replace("\\", "\\\\").replace("{", "\\{"))
        else:
            shown += 1
            made.append(f"{{{shown}}}")
    return "".join(made)


def slug(text: str) -> str:
    """The first words of a text; a digest follows unless they are the whole of it."""
    words = _WORDS.findall(_SHOWN.sub(" ", text).lower())
    short = "_".join(words[:_SLUG_WORDS])[:60]
    plain = " ".join(words)
    if words and len(words) <= _SLUG_WORDS and len(plain) <= 60 and text == plain[:1].upper() + plain[1:]:
        return short
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{short}-{digest}" if short else digest


def add_texts(content: dict[str, Any]) -> dict[str, str]:
    """Gives every text of the content its id, and the catalogue of them all."""
    texts: dict[str, str] = {}
    for section, singular in _SINGULAR.items():
        for item in content[section]:
            name = f"{singular}.{item['id']}"
            for key, plain in _plain_texts(item):
                _claim(texts, f"{name}.{key}", plain if key.endswith("reads") else template([plain]))
            _add(texts, _own(item, name))
    for item in content["rules"]:
        _add(texts, [(item, _rule_name(item), "text")])
    for item in content["anytime"]:
        _add(texts, [(item, "anytime", "text")])
    return dict(sorted(texts.items()))


def _claim(texts: dict[str, str], name: str, text: str) -> str:
    if texts.setdefault(name, text) != text:
        name = f"{name}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
        texts[name] = text
    return name


def _rule_name(rule: dict[str, Any]) -> str:
    about = (
        rule.get("action") or rule.get("menu") or rule.get("value") or rule.get("period") or rule.get("field")
    )
    return f"rule.{rule['rule']}.{about}" if about else f"rule.{rule['rule']}"


def _plain_texts(item: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Texts that the document keeps as they are: titles, and what is said about options, kinds and menus."""
    for key in ("title", "text", "pass"):
        if isinstance(item.get(key), str):
            yield key, item[key]
    if "reads" in item:
        yield "reads", item["reads"]
    for field in item.get("fields", ()) if "params" in item or "parents" in item else ():
        if "reads" in field:
            yield f"{field['name']}.reads", field["reads"]
    if "kind" in item and "form" not in item:
        for name, given in item.get("fields", {}).items():
            if isinstance(given, dict) and given.get("op") == "code" and "reads" in given:
                yield f"{name}.reads", given["reads"]
    for face in item.get("faces", ()):
        if "op" not in face:
            for key in ("title", "reads"):
                if key in face:
                    yield f"face.{face['id']}.{key}", face[key]


def _own(part: dict[str, Any], name: str) -> Iterator[Place]:
    """The values in a thing, kind or face, each under the name its texts get."""
    for key, value in part.items():
        if key in ("fields", "defaults") and isinstance(value, dict):
            for field, given in value.items():
                yield given, f"{name}.{field}", None
        elif key == "faces" and "parents" not in part:
            for face in value:
                if "op" not in face:
                    yield from _own(face, f"{name}.face.{face['id']}")
        elif key == "text" and isinstance(value, dict):
            yield value, f"{name}.text", None
        elif isinstance(value, (dict, list)):
            yield value, name, "text"


def _add(texts: dict[str, str], places: Iterable[Place]) -> None:
    """Finds every text below some places and gives it its id."""
    stack = list(places)
    while stack:
        value, name, role = stack.pop()
        if isinstance(value, list):
            stack.extend((one, name, role or "") for one in value)
        elif isinstance(value, dict):
            if value.get("op") == "text":
                text = template(value["parts"])
                full = (
                    name
                    if role is None
                    else f"{name}.{role}.{slug(text)}"
                    if role
                    else f"{name}.{slug(text)}"
                )
                value["id"] = _claim(texts, full, text)
                stack.extend((part, name, "text") for part in value["parts"] if not isinstance(part, str))
            else:
                if "rule" in value and "reads" in value:
                    _claim(texts, f"{name}.reads.{slug(value['reads'])}", value["reads"])
                stack.extend(
                    (child, name, _role(value, key))
                    for key, child in value.items()
                    if isinstance(child, (dict, list))
                )


def _role(parent: dict[str, Any], key: str) -> str:
    """What part a text plays in the node it stands in."""
    if key == "first" and "op" not in parent:
        return "said"
    if key != "label":
        return key if key in ("prompt", "reason") else "text"
    if "to" in parent:
        return ""
    if parent.get("rule") == "offer":
        return "offer"
    return "label" if "op" in parent else "choice"
