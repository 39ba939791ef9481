"""What a document declares, by name space: every id that something else may refer to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from talewright.schemas.core import CORE_FIELD_NAMES, CORE_THINGS, FUNCTIONS, VERBS
from talewright.schemas.nodes.declared import KindDeclaration, TraitDeclaration
from talewright.schemas.nodes.document import Document

_CORE_VERBS = {verb.id for verb in VERBS}
_DIE_FIELDS = ("face", "rerolled", "purpose")


class _Named(Protocol):
    """Something with an id."""

    @property
    def id(self) -> str: ...


Declared = TypeVar("Declared", bound=_Named)


class Index:
    """The ids of a document; `knows[space](id)` says whether one exists."""

    def __init__(self, document: Document) -> None:
        content = document.content
        self.kinds = _by_id(content.kinds)
        self.traits = _by_id(content.traits)
        self.things = _by_id(content.things)
        self.values = _by_id(content.values)
        self.actions = _by_id(content.actions)
        self.tables = _by_id(content.tables)
        self.menus = _by_id(content.menus)
        self.periods = _by_id(content.periods)
        self.movements = _by_id(content.movements)
        self.verbs = {action.verb for action in content.actions} | {verb.verb for verb in VERBS}
        self.value_names = {name.rsplit(":", 1)[-1].split("#")[0] for name in self.values}
        self.types = _by_id(content.types)
        self.texts = document.texts
        self.fields: dict[str, set[str]] = {
            **{name: _trait_fields(trait) for name, trait in self.traits.items()},
            **{name: _kind_fields(kind) for name, kind in self.kinds.items()},
        }
        self.every_field = set().union(*self.fields.values()) if self.fields else set()
        dice, payments = _by_id(content.dice), _by_id(content.payments)
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
            "function": FUNCTIONS.__contains__,
            "core verb": _CORE_VERBS.__contains__,
            "option": _by_id(content.options).__contains__,
            "team": _by_id(content.teams).__contains__,
            "token": _by_id(content.tokens).__contains__,
            "track": _by_id(content.tracks).__contains__,
            "state": _by_id(content.states).__contains__,
            "pile": _by_id(content.piles).__contains__,
            "plan": _by_id(content.plans).__contains__,
            "movement": self.movements.__contains__,
            "payment": payments.__contains__,
            "die": dice.__contains__,
            "die or nothing": lambda name: not name or name in dice,
            "text": document.texts.__contains__,
        }

    def is_thing(self, name: str) -> bool:
        """Whether a thing, or a copy of one, has that id."""
        if name in self.things or name in CORE_THINGS:
            return True
        sort, _, number = name.rpartition("_")
        if not number.isdecimal() or not number.isascii() or len(number) > 6:
            return False
        if sort in self.things:
            copies = _copies(self.things[sort].copies)
        else:
            kind = self.kinds.get(sort)
            copies = kind.die.copies if kind is not None and kind.die is not None else 0
        return 1 <= int(number) <= copies

    def is_sort(self, name: str) -> bool:
        """Whether there are several copies of a thing of that id."""
        thing = self.things.get(name)
        return thing is not None and (_copies(thing.copies) != 1 or thing.per is not None)

    def _is_modified(self, name: str) -> bool:
        return name in self.values or (name.startswith("core:") and name[5:] in FUNCTIONS)

    def _is_rule_action(self, name: str) -> bool:
        return name in self.actions or (name.startswith("core:") and name[5:] in _CORE_VERBS)

    def _is_moment(self, name: str) -> bool:
        form, _, rest = name.partition(":")
        return rest in self.verbs if form == "verb" else form == "period" and rest in self.periods


def _by_id(rows: Iterable[Declared]) -> dict[str, Declared]:
    return {row.id: row for row in rows}


def _copies(given: int | None) -> int:
    return 1 if given is None else given


def _kind_fields(kind: KindDeclaration) -> set[str]:
    names = {field.name for field in kind.fields} | set(CORE_FIELD_NAMES.get(kind.id, ()))
    return names | set(_DIE_FIELDS) if kind.die is not None else names


def _trait_fields(trait: TraitDeclaration) -> set[str]:
    return {field.name for field in trait.fields} | {param.name for param in trait.params}
