"""What a document declares, by name space: every id that something else may refer to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Content = dict[str, Any]


class Index:
    """The ids of a document; `knows[space](id)` says whether one exists."""

    def __init__(self, content: Content, texts: dict[str, str], core: dict[str, Any]) -> None:
        self.core = core
        self.kinds = _by_id(content["kinds"])
        self.traits = _by_id(content["traits"])
        self.things = _by_id(content["things"])
        self.values = _by_id(content["values"])
        self.actions = _by_id(content["actions"])
        self.tables = _by_id(content["tables"])
        self.menus = _by_id(content["menus"])
        self.periods = _by_id(content["periods"])
        self.movements = _by_id(content["movements"])
        self.verbs = {action["verb"] for action in content["actions"]} | set(core["verbs"].values())
        self.functions: dict[str, list[int]] = core["functions"]
        self.value_names = {name.rsplit(":", 1)[-1].split("#")[0] for name in self.values}
        self.types = _by_id(content["types"])
        self.texts = texts
        self.fields = {name: self._fields(owner) for name, owner in {**self.traits, **self.kinds}.items()}
        self.every_field = set().union(*self.fields.values()) if self.fields else set()
        dice, payments = _by_id(content["dice"]), _by_id(content["payments"])
        self.knows: dict[str, Callable[[str], bool]] = {
            "thing": self.is_thing,
            "sort": self.is_sort,
            "thing or sort": self.is_thing,
            "thing or nothing": lambda name: not name or self.is_thing(name),
            "kind": self.kinds.__contains__,
            "kind or nothing": lambda name: not name or name in self.kinds,
            "place kind": lambda name: not name or name in self.kinds,
            "owner": self.fields.__contains__,
            "type or nothing": lambda name: not name or name in self.types,
            "trait": self.traits.__contains__,
            "value": self.values.__contains__,
            "value name": self.value_names.__contains__,
            "modified value": self._is_modified,
            "table": self.tables.__contains__,
            "action": self.actions.__contains__,
            "rule action": self._is_rule_action,
            "menu": self.menus.__contains__,
            "period": self.periods.__contains__,
            "moment": self._is_moment,
            "function": self.functions.__contains__,
            "core verb": core["verbs"].__contains__,
            "option": _by_id(content["options"]).__contains__,
            "team": _by_id(content["teams"]).__contains__,
            "token": _by_id(content["tokens"]).__contains__,
            "track": _by_id(content["tracks"]).__contains__,
            "state": _by_id(content["states"]).__contains__,
            "pile": _by_id(content["piles"]).__contains__,
            "plan": _by_id(content["plans"]).__contains__,
            "movement": self.movements.__contains__,
            "payment": payments.__contains__,
            "die": dice.__contains__,
            "die or nothing": lambda name: not name or name in dice,
            "text": texts.__contains__,
        }

    def _fields(self, owner: dict[str, Any]) -> set[str]:
        names = {field["name"] for field in owner.get("fields", ())}
        names.update(self.core["fields"].get(owner["id"], ()))
        if "parents" not in owner:
            names.update(param["name"] for param in owner["params"])
        if "die" in owner:
            names.update(("face", "rerolled", "purpose"))
        return names

    def is_thing(self, name: str) -> bool:
        """Whether a thing, or a copy of one, has that id."""
        if name in self.things or name in self.core["things"]:
            return True
        sort, _, number = name.rpartition("_")
        if not number.isdecimal() or not number.isascii() or len(number) > 6:
            return False
        if sort in self.things:
            copies: int = self.things[sort].get("copies", 1)
        else:
            copies = self.kinds.get(sort, {}).get("die", {}).get("copies", 0)
        return 1 <= int(number) <= copies

    def is_sort(self, name: str) -> bool:
        """Whether there are several copies of a thing of that id."""
        thing = self.things.get(name)
        return thing is not None and (thing.get("copies", 1) != 1 or "per" in thing)

    def _is_modified(self, name: str) -> bool:
        return name in self.values or (name.startswith("core:") and name[5:] in self.functions)

    def _is_rule_action(self, name: str) -> bool:
        return name in self.actions or (name.startswith("core:") and name[5:] in self.core["verbs"])

    def _is_moment(self, name: str) -> bool:
        form, _, rest = name.partition(":")
        return rest in self.verbs if form == "verb" else form == "period" and rest in self.periods


def _by_id(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in rows}
