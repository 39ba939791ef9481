"""Kinds, traits and types as nodes of the syntax tree."""

from __future__ import annotations

from typing import Any

from talewright.dsl.build.node_parts import (
    Children,
    body_of,
    end_of,
    folded,
    prose_at,
    start_of,
    string_at,
    word_at,
)
from talewright.dsl.tree import nodes as t


class Types:
    """Kinds, traits and types."""

    # -------------------------------------------------------------- kinds, traits, types
    def kind_decl(self, c: Children) -> t.KindDecl:
        return t.KindDecl(start_of(c[0]), end_of(c), word_at(c[1]), c[2] or [], c[4], string_at(c[3]))

    def extend_kind(self, c: Children) -> t.ExtendKind:
        return t.ExtendKind(start_of(c[0]), end_of(c), word_at(c[1]), c[2])

    def extend_type(self, c: Children) -> t.TypeDecl:
        words, ordered = c[2]
        return t.TypeDecl(start_of(c[0]), end_of(words), word_at(c[1]), words, ordered, True)

    def type_decl(self, c: Children) -> t.TypeDecl:
        words, ordered = c[2]
        return t.TypeDecl(start_of(c[0]), end_of(words), word_at(c[1]), words, ordered, False)

    def trait_decl(self, c: Children) -> t.TraitDecl:
        params = c[2] if len(c) == 5 else []
        return t.TraitDecl(start_of(c[0]), end_of(c), word_at(c[1]), params, c[-1], string_at(c[-2]))

    def words_any(self, c: Children) -> tuple[list[t.Word], bool]:
        return [self._type_word(w) for w in c], False

    def words_ordered(self, c: Children) -> tuple[list[t.Word], bool]:
        return [self._type_word(w) for w in c], True

    def _type_word(self, item: Any) -> t.Word:
        if isinstance(item, t.Number):
            return t.Word(item.start, item.end, str(item.value))
        return word_at(item)

    def kinds(self, c: Children) -> list[t.Word]:
        return [word_at(k) for k in c]

    def kind_body(self, c: Children) -> list[t.Member]:
        return c

    def prose(self, c: Children) -> t.Prose:
        return t.Prose(start_of(c[0]), end_of(c), prose_at(c[0]))

    def field_decl(self, c: Children) -> t.FieldDecl:
        names, type_, default, mods, reads, body = c
        per, flags = mods
        return t.FieldDecl(
            names[0].start, end_of(c[:3]), names, type_, default, per, flags, body, string_at(reads)
        )

    def track_field(self, c: Children) -> t.TrackDecl:
        names, _, (low, high, end), begin, (per, flags), reads, hooks = c
        said = string_at(reads)
        return t.TrackDecl(names[0].start, end, names, low, high, begin, per, flags, hooks, True, said)

    def default(self, c: Children) -> t.Default:
        value = prose_at(c[1]) if isinstance(c[1], str) else c[1]
        return t.Default(start_of(c[0]), value.end, word_at(c[0]), value)

    def holds(self, c: Children) -> t.Holds:
        return t.Holds(start_of(c[0]), end_of(c), word_at(c[1]), c[2])

    def lies(self, c: Children) -> t.Lies:
        return t.Lies(start_of(c[0]), end_of(c), str(c[1]))

    def in_force(self, c: Children) -> t.InForce:
        return t.InForce(start_of(c[0]), end_of(c), c[1])

    def effect_body(self, c: Children) -> list[t.Stmt] | None:
        return body_of(c[0]) if c else None

    def mods(self, c: Children) -> tuple[list[t.Word], list[str]]:
        per: list[t.Word] = []
        flags: list[str] = []
        for item in c:
            if isinstance(item, list):
                per.extend(item)
            else:
                flags.append(folded(str(item)))
        return per, flags

    def per(self, c: Children) -> list[t.Word]:
        return c[0]  # type: ignore[no-any-return]

    def names(self, c: Children) -> list[t.Word]:
        return [word_at(n) for n in c]

    # -------------------------------------------------------------- types
    def or_none(self, c: Children) -> t.OrNone:
        return t.OrNone(c[0].start, end_of(c), c[0])

    def type_map(self, c: Children) -> t.MapType:
        return t.MapType(c[0].start, c[1].end, c[0], c[1])

    def type_kind(self, c: Children) -> t.KindType:
        return t.KindType(start_of(c[0]), end_of(c), str(c[0]))

    def type_range(self, c: Children) -> t.RangeType:
        low, high, end = c[0]
        return t.RangeType(end - len(f"{low}..{high}"), end, low, high)

    def type_dice(self, c: Children) -> t.DiceType:
        return t.DiceType(start_of(c[0]), end_of(c), int(c[0].partition("d")[2]))

    def type_many(self, c: Children) -> t.ManyType:
        return t.ManyType(start_of(c[0]), c[1].end, c[0].split()[0], c[1])

    def type_container(self, c: Children) -> t.ContainerType:
        return t.ContainerType(start_of(c[0]), end_of(c[:2]), str(c[0]), word_at(c[1]), c[2])

    def type_effect(self, c: Children) -> t.EffectType:
        return t.EffectType(start_of(c[0]), end_of(c), c[1] or [])

    def choice_type(self, c: Children) -> t.WordsType:
        words = [self._type_word(w) for w in c]
        return t.WordsType(words[0].start, words[-1].end, words)

    def range(self, c: Children) -> tuple[int, int, int]:
        return int(c[0]), int(c[1]), c[1].end_pos

    def container_opts(self, c: Children) -> t.ContainerOptions:
        options = t.ContainerOptions()
        for item in c:
            if isinstance(item, str):
                if item.type == "RETURNING":  # type: ignore[attr-defined]
                    options.returning = True
                else:
                    options.face = str(item)
            elif isinstance(item, t.Word):
                options.reshuffles = item
            else:
                options.max = item[0]
        return options

    def opt_max(self, c: Children) -> Children:
        return c

    def opt_reshuffles(self, c: Children) -> t.Word:
        return word_at(c[0])

    def params(self, c: Children) -> list[t.Param]:
        return c

    def param(self, c: Children) -> t.Param:
        return t.Param(start_of(c[0]), end_of(c), word_at(c[0]), c[1], c[2])
