"""Expressions as nodes of the syntax tree."""

from __future__ import annotations

from talewright.dsl.build.node_parts import (
    Children,
    end_of,
    folded,
    start_of,
    string_at,
    whole_number,
    word_at,
)
from talewright.dsl.tree import nodes as t


class Expressions:
    """Expressions."""

    # -------------------------------------------------------------- expressions
    def name(self, c: Children) -> t.Name:
        token = c[0]
        return t.Name(token.start_pos, token.end_pos, str(token))

    def capital(self, c: Children) -> t.Capital:
        token = c[0]
        return t.Capital(token.start_pos, token.end_pos, str(token))

    def number(self, c: Children) -> t.Number:
        token = c[0]
        return t.Number(token.start_pos, token.end_pos, whole_number(token))

    def negative(self, c: Children) -> t.Number:
        token = c[-1]
        return t.Number(start_of(c[0]) - (len(c) == 1), token.end_pos, -whole_number(token))

    def target(self, c: Children) -> t.Target:
        token = c[0]
        return t.Target(token.start_pos, token.end_pos, whole_number(token[:-1]))

    def dice(self, c: Children) -> t.Dice:
        token = c[0]
        count, _, sides = token.partition("d")
        return t.Dice(token.start_pos, token.end_pos, whole_number(count or "1"), whole_number(sides))

    def size(self, c: Children) -> t.Size:
        token = c[0]
        width, _, height = token.partition("x")
        return t.Size(token.start_pos, token.end_pos, whole_number(width), whole_number(height))

    def string(self, c: Children) -> t.Text:
        token = c[0]
        return t.Text(token.start_pos, token.end_pos, token[1:-1])

    def yes(self, c: Children) -> t.Truth:
        return t.Truth(c[0].start_pos, c[0].end_pos, True)

    def no(self, c: Children) -> t.Truth:
        return t.Truth(c[0].start_pos, c[0].end_pos, False)

    def none(self, c: Children) -> t.Nothing:
        return t.Nothing(c[0].start_pos, c[0].end_pos)

    def call_value(self, c: Children) -> t.CallValue:
        return t.CallValue(c[0].start_pos, c[2].end_pos, str(c[0]), c[1] or [])

    def trait_value(self, c: Children) -> t.TraitValue:
        return t.TraitValue(c[0].start_pos, c[2].end_pos, str(c[0]), c[1])

    def ask(self, c: Children) -> t.Ask:
        return t.Ask(c[0].start_pos, c[2].end_pos, str(c[0]), c[1])

    def new(self, c: Children) -> t.New:
        return t.New(c[0].start_pos, c[1].end_pos, str(c[1]))

    def group_(self, c: Children) -> t.Group:
        return t.Group(c[0].start_pos, c[2].end_pos, c[1])

    def set_literal(self, c: Children) -> t.Braces:
        return t.Braces(c[0].start_pos, c[2].end_pos, c[1] or [])

    def args(self, c: Children) -> list[t.Expr]:
        return c

    def entries(self, c: Children) -> list[t.Expr]:
        return c

    def entry_pair(self, c: Children) -> t.EntryPair:
        return t.EntryPair(c[0].start_pos, c[1].end, word_at(c[0]), c[1])

    def dot(self, c: Children) -> t.Dot:
        name = c[2]
        return t.Dot(c[0].start, name.end_pos, c[0], str(name), name.start_pos)

    def of(self, c: Children) -> t.Of:
        return t.Of(c[0].start_pos, c[1].end, word_at(c[0]), c[1])

    def index(self, c: Children) -> t.Index:
        return t.Index(c[0].start, c[2].end_pos, c[0], c[1])

    def binary(self, c: Children) -> t.Binary:
        left, op, right = c
        return t.Binary(left.start, right.end, folded(str(op)), left, right)

    def is_not(self, c: Children) -> t.Binary:
        return t.Binary(c[0].start, c[3].end, "is not", c[0], c[3])

    def within(self, c: Children) -> t.Within:
        return t.Within(c[0].start, c[2].end, c[0], c[1], c[2])

    def in_span(self, c: Children) -> t.InSpan:
        return t.InSpan(c[0].start, c[2].end, c[0], c[1], c[2])

    def not_(self, c: Children) -> t.Not:
        return t.Not(c[0].start_pos, c[1].end, c[1])

    def pick(self, c: Children) -> t.Pick:
        return t.Pick(c[0].start, c[2].end, c[0], c[1], c[2])

    def agreed(self, c: Children) -> t.Agreed:
        text = string_at(c[1])
        assert text is not None
        return t.Agreed(c[0].start_pos, c[2].end, text, c[2])

    def during(self, c: Children) -> t.During:
        return t.During(c[0].start_pos, end_of(c), word_at(c[1]), c[2])

    def query(self, c: Children) -> t.Query:
        return t.Query(c[0].start, c[1].end, None, c[0], c[1])

    def quantified(self, c: Children) -> t.Query:
        return t.Query(c[0].start_pos, end_of(c), str(c[0]), c[1], c[2])

    def quantified_bare(self, c: Children) -> t.Query:
        return t.Query(c[0].start_pos, c[1].end, str(c[0]), c[1], None)

    def not_quantified(self, c: Children) -> t.Not:
        inner = t.Query(c[1].start_pos, c[2].end, str(c[1]), c[2], None)
        return t.Not(c[0].start_pos, inner.end, inner)

    def suffixes(self, c: Children) -> t.Suffixes:
        suffixes = t.Suffixes(c[0][1], c[-1][2], None, None, [], [])
        for form, _, _, value in c:
            setattr(suffixes, form, value)
        return suffixes

    def named(self, c: Children) -> tuple[str, int, int, t.Word]:
        word = word_at(c[0])
        return "named", word.start, word.end, word

    def where(self, c: Children) -> tuple[str, int, int, t.Expr]:
        return "where", c[0].start_pos, c[1].end, c[1]

    def having(self, c: Children) -> tuple[str, int, int, list[t.Key]]:
        return "having", c[0].start, c[-1].end, c

    def ordered(self, c: Children) -> tuple[str, int, int, list[t.Key]]:
        return "ordered", c[0].start_pos, c[-1].end, c[1:]

    def shuffled(self, c: Children) -> t.Key:
        return t.Key(c[0].start_pos, c[0].end_pos, "random", None)

    def key_highest(self, c: Children) -> t.Key:
        return t.Key(c[0].start_pos, c[1].end, "highest", c[1])

    def key_lowest(self, c: Children) -> t.Key:
        return t.Key(c[0].start_pos, c[1].end, "lowest", c[1])
