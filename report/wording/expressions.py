"""Expressions as noun phrases: things, numbers, sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from talewright.report.wording.phrases import (
    NUMBERS,
    Group,
    Person,
    Phrase,
    bare_place,
    listed,
    located,
    person_of,
    with_article,
    words,
)
from talewright.report.wording.surroundings import Referent, Surroundings, always
from talewright.report.wording.templates import clause, filled, pieces_of, two_forms
from talewright.schemas.nodes import literals, names, operators, queries, reads
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.types import Type

if TYPE_CHECKING:
    from talewright.report.wording.speaker import Speaker

_SIGNS = {"Add": "plus", "Sub": "minus", "Mul": "times", "Div": "divided by", "Mod": "modulo"}
# Nodes that only change the form of what they hold.
_SAME = (
    reads.PoolTotal, reads.DieValue, reads.FixedDice, reads.AsPool, reads.PoolDice, reads.EachDie, reads.OneCopy,
    reads.Spread, reads.AsInt, reads.Decider, reads.BaseValue,
)  # fmt: skip
_AREAS = {"board": "the board", "play": "play", "supply": "the supply", "box": "the box"}
_SETS = (queries.Sorted, operators.Rotate)
IT = Phrase("it")
# The sides of the world that the language itself names.
_SIDES = ("north", "east", "south", "west")


class Expressions:
    """Words for expressions."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker
        self.vocabulary = speaker.vocabulary

    # -------------------------------------------------------------- one phrase
    def phrase(self, node: Node, around: Surroundings) -> Phrase:
        """An expression as a noun phrase."""
        if around.too_deep:
            return Phrase("...")
        around = around.deeper()
        match node:
            case literals.IntLiteral():
                return Phrase(str(node.value), "number", node.value)
            case literals.TruthLiteral():
                return Phrase("yes" if node.value else "no")
            case literals.NoneLiteral():
                return Phrase("nothing")
            case literals.WordLiteral() | literals.MarkLiteral():
                return Phrase(words(node.value))
            case literals.DiceLiteral():
                return Phrase(f"{node.count}d{node.sides}" if node.count > 1 else f"d{node.sides}")
            case literals.SizeLiteral():
                return Phrase(f"{node.width}x{node.height}")
            case literals.Text():
                return Phrase(self.text(node, around))
            case literals.SetLiteral():
                items = [self.phrase(item, around).text for item in node.items]
                return Phrase(listed(items) or "nothing", "one" if len(items) == 1 else "many")
            case literals.MapLiteral():
                rows = [f"{self.phrase(k, around).text} {self.phrase(v, around).text}" for k, v in node.rows]
                return Phrase(listed(rows))
            case operators.Add() | operators.Sub() | operators.Mul() | operators.Div() | operators.Mod():
                left, right = self.phrase(node.left, around), self.phrase(node.right, around)
                return Phrase(f"{left.text} {_SIGNS[type(node).__name__]} {right.text}", "number")
            case operators.Pick():
                return self._pick(node, around)
            case operators.ManyDice():
                return Phrase(
                    f"{self.phrase(node.count, around).text} {self.phrase(node.dice, around).text}", "many"
                )
            case operators.SomeCopies():
                sort = self.phrase(node.of, around)
                number = self.phrase(node.count, around)
                noun = sort.noun[0 if number.number == 1 else 1] if sort.noun else sort.text
                return Phrase(f"{number.text} {noun}", "one" if number.number == 1 else "many")
            case operators.Span():
                low, high = self.phrase(node.low, around), self.phrase(node.high, around)
                return Phrase(f"a number from {low.text} to {high.text}", "number")
            case operators.Pair():
                return Phrase(
                    f"{self.phrase(node.left, around).text} and {self.phrase(node.right, around).text}"
                )
            case operators.Rank():
                return self.phrase(node.of, around)
        return self._named(node, around) or self._read(node, around) or self._searched(node, around)

    def text(self, node: literals.Text, around: Surroundings) -> str:
        """A text with what is shown in it."""
        shown = [part if isinstance(part, str) else self.phrase(part.of, around).text for part in node.parts]
        return "".join(shown)

    def _pick(self, node: operators.Pick, around: Surroundings) -> Phrase:
        yes, no = self.phrase(node.yes, around), self.phrase(node.no, around)
        condition = self.speaker.conditions.clause(node.condition, around)
        return Phrase(f"{yes.text} if {condition}, otherwise {no.text}", yes.person)

    # -------------------------------------------------------------- names
    def _named(self, node: Node, around: Surroundings) -> Phrase | None:
        lookup = self.vocabulary
        match node:
            case names.ThingRef():
                side = node.id in _SIDES and not lookup.is_titled(node.id)
                return Phrase(f"the {node.id}" if side else lookup.title(node.id))
            case names.SortRef():
                return lookup.sort(node.id)
            case names.PileRef():
                return Phrase(bare_place(lookup.named("pile", node.id)))
            case names.StateRef():
                return Phrase(lookup.named("state", node.id))
            case names.TrackRef():
                said = lookup.noun("track", node.id) or words(node.id)
                one, bar, many = said.partition("|")
                return Phrase(many if bar else said, "number", noun=(one, many) if bar else None)
            case names.OptionRef():
                return Phrase(words(node.id))
            case names.TokenRef():
                one, many = lookup.token(node.id)
                return Phrase(one, noun=(one, many))
            case names.DieRef():
                return Phrase(f"the {words(node.id)} die")
            case names.TeamRef():
                return Phrase(f"the {words(node.id)}", "many" if node.id.endswith("s") else "one")
            case names.PlanRef() | names.MovementRef() | names.PaymentRef():
                return Phrase(words(node.id))
            case names.KindRef():
                return Phrase(lookup.group(node.id).one)
            case names.LocalRef():
                return self._local(node.number, around)
            case names.TraitParam():
                return around.traits.get(node.name) or Phrase(words(node.name))
            case names.ValueAsWay():
                return Phrase(words(node.value))
            case names.SelfRef():
                return around.own
            case names.ResultRef():
                return Phrase("the result")
            case names.ChapterRef():
                return Phrase("this chapter")
            case names.EndingRef():
                return Phrase("the ending")
            case names.AreaRef():
                return Phrase(_AREAS[node.name])
            case names.ValueCall():
                return self.value(node, around)
            case names.TableLookUp():
                of = self.phrase(node.args[0], around).text if node.args else ""
                return Phrase(f"the {words(node.id)} for {of}", "number")
            case names.SeatRef():
                return Phrase(self._seat(node))
            case names.TraitRef():
                return Phrase(self.trait(node, around))
        return None

    def _local(self, number: int, around: Surroundings) -> Phrase:
        known = around.known.get(number)
        if known is not None:
            return known.mention()
        if number >= len(around.locals):
            return IT
        local = around.locals[number]
        kind = self.vocabulary.typed(local.type)
        if kind:
            group = self.vocabulary.group(kind)
            many = local.type.tag in ("set", "list")
            return Phrase(f"the {group.many if many else group.one}", "many" if many else "one")
        number_like = local.type.tag in ("int", "range", "ints", "target")
        return Phrase("any number of" if number_like and local.name == "_" else words(local.name))

    def _seat(self, node: names.SeatRef) -> str:
        role = self.vocabulary.kinds.get(node.role)
        seats = role.role if role is not None else None
        if seats is None or seats.seat is None:
            return words(node.role)
        return seats.seat if seats.high == 1 else f"{seats.seat}{node.number}"

    def trait(self, node: names.TraitRef, around: Surroundings) -> str:
        """A trait with its arguments: `Weary 2`."""
        found = self.vocabulary.traits.get(node.id)
        if found is not None and found.reads:
            filling = {
                param.name: self.phrase(arg, around)
                for param, arg in zip(found.params, node.args, strict=False)
            }
            filling["self"] = around.own
            return filled(pieces_of(found.reads), filling.get)
        args = [self.phrase(arg, around).text for arg in node.args]
        return f"{words(node.id)} {', '.join(args)}".strip()

    def value(self, node: names.ValueCall, around: Surroundings) -> Phrase:
        """A declared value: as it reads, else what it is made of, else its name."""
        found = self.vocabulary.values.get(node.id)
        args = [self.phrase(arg, around) for arg in node.args]
        if found is None:
            return Phrase(words(node.id))
        numeric = found.type.tag in NUMBERS
        person = person_of(found.type)
        if found.reads:
            forms = two_forms(found.reads)
            reads = found.reads if forms is None else forms[1]
            return Phrase(clause(reads, self._filling(node, around).get).told(), person)
        if found.value is not None and not numeric and node.id not in around.inlined:
            return self.phrase(found.value, self.inside(node, around))
        name = words(node.id).removesuffix(" of")
        args = [Phrase(arg.noun[1], "many") if arg.noun else arg for arg in args]
        if len(args) == 1:
            return Phrase(args[0].owned(name), person)
        return Phrase(f"the {name}" + (f" of {listed([a.text for a in args])}" if args else ""), person)

    def _filling(self, node: names.ValueCall, around: Surroundings) -> dict[str, Phrase]:
        """The arguments of a value by the names of its parameters."""
        found = self.vocabulary.values[node.id]
        return {
            found.locals[number].name: self.phrase(arg, around)
            for number, arg in zip(found.params, node.args, strict=False)
            if number < len(found.locals)
        }

    def inside(self, node: names.ValueCall, around: Surroundings) -> Surroundings:
        """The inside of a value, its parameters standing for the arguments."""
        found = self.vocabulary.values[node.id]
        known: dict[int, Referent] = {
            number: always(self.phrase(arg, around))
            for number, arg in zip(found.params, node.args, strict=False)
        }
        inner = Surroundings(found.locals, known, around.own, around.traits, around.depth + 1)
        inner.inlined = (*around.inlined, node.id)
        return inner

    # -------------------------------------------------------------- what is read off something
    def _read(self, node: Node, around: Surroundings) -> Phrase | None:
        match node:
            case reads.FieldOf():
                return self._field(node, around)
            case reads.LateField():
                return Phrase(self.phrase(node.of, around).owned(words(node.name)))
            case reads.Property():
                return self._property(node, around)
            case reads.PoolProperty() | reads.DieProperty() | reads.SpotProperty():
                return Phrase(self.phrase(node.of, around).owned(words(node.name)))
            case reads.TokensOn():
                _, many = self.vocabulary.token(node.token)
                return Phrase(f"the number of {many} on {self.phrase(node.of, around).text}", "number")
            case reads.TokensAt():
                token = self.phrase(node.token, around)
                many = token.noun[1] if token.noun else token.text
                return Phrase(f"the number of {many} at {self.phrase(node.place, around).text}", "number")
            case reads.LookUp():
                of, key = self.phrase(node.of, around), self.phrase(node.key, around)
                return Phrase(f"{of.text} for {key.text}", "number")
            case reads.BandOf():
                return Phrase(f"what {self.phrase(node.number, around).text} brings")
            case reads.Slice():
                high = self.phrase(node.high, around)
                return Phrase(f"the first {high.text} of {self.phrase(node.of, around).text}", "many")
            case reads.Nth():
                position = self.phrase(node.position, around)
                return Phrase(f"number {position.text} of {self.phrase(node.of, around).text}")
            case reads.SlotContent():
                return self._content(node.of, around)
            case reads.PileItems() | reads.SortCopies():
                return self._set(node, around)
            case reads.PileTop():
                return Phrase(f"the top card of {self.phrase(node.of, around).text}")
            case reads.PileBottom():
                return Phrase(f"the bottom card of {self.phrase(node.of, around).text}")
            case reads.Holds():
                return self.phrase(node.of, around)
        if isinstance(node, _SAME):
            return self.phrase(node.of, around)
        return None

    def _field(self, node: reads.FieldOf, around: Surroundings) -> Phrase:
        noun = self.vocabulary.field_noun(node.owner, node.name).partition("|")[0]
        found = self.vocabulary.field(node.owner, node.name)
        numeric = found is not None and found.type.tag in NUMBERS
        person: Person = "number" if numeric else "one"
        if isinstance(node.of, reads.Property) and node.of.name == "owner":
            return Phrase(f"its owner's {noun}", person)
        if found is not None and self._is_seat(found.type):
            of = self.phrase(node.of, around)
            # Whoever plays a figure is asked for it.
            return of if of.person == "you" else Phrase(of.owned(noun), person)
        group = self.group(node.of, around) if _is_set(node.of) else None
        if group is not None:
            return Phrase(f"the {noun} of {group.plain().text}", "many")
        return Phrase(self.phrase(node.of, around).owned(noun), person)

    def _is_seat(self, type_: Type) -> bool:
        return type_.tag not in ("set", "list") and self.vocabulary.is_role(self.vocabulary.typed(type_))

    def _property(self, node: reads.Property, around: Surroundings) -> Phrase:
        of = self.phrase(node.of, around)
        if node.name == "title":
            return of
        if node.name == "place":
            return Phrase(of.owned("place"))
        if node.name == "holder":
            # Whoever or whatever holds it.
            again = isinstance(node.of, reads.Property) and node.of.name == "holder"
            return Phrase("its carrier" if again else of.owned("holder"))
        return Phrase(of.owned(words(node.name)))

    def _content(self, node: Node, around: Surroundings) -> Phrase:
        """What lies in a slot: the thing, by the name of the slot."""
        if isinstance(node, names.PileRef):
            kind = self.vocabulary.group(self.vocabulary.kind_of_pile(node.id))
            return Phrase(f"the {kind.one} {located(self.vocabulary.named('pile', node.id))}")
        return self.phrase(node, around)

    # -------------------------------------------------------------- sets
    def group(self, node: Node, around: Surroundings) -> Group | None:
        """A set as a noun and what holds of it; none where it is no such set."""
        if around.too_deep:
            return None
        around = around.deeper()
        match node:
            case names.ThingsOfKind():
                return self.vocabulary.group(node.id)
            case names.Bearers():
                return self.vocabulary.group(node.trait)
            case names.SortRef():
                noun = self.vocabulary.sort(node.id).noun
                return Group(*noun) if noun else None
            case reads.SortCopies():
                return self.group(node.of, around)
            case reads.PileItems():
                return self._items(node.of, around)
            case queries.Filter():
                inner = self.group(node.of, around)
                if inner is None:
                    return None
                for test in _conjuncts(node.test):
                    inner = self._narrowed(inner, test, node.local, around)
                return inner
            case queries.Best():
                inner = self.group(node.of, around)
                if inner is None:
                    return None
                known = around.with_names({node.local: always(IT)})
                for order, key in node.keys:
                    far = self._distance(key, node.local, order, known)
                    if far:
                        inner = inner.with_test(far)
                    elif key is not None:
                        quality = self.phrase(key, known).text.removeprefix("its ").removeprefix("the ")
                        inner = inner.with_test(f"with the {order} {quality}")
                return inner
            case operators.SetMinus():
                inner = self.group(node.left, around)
                return inner and inner.with_test(f"other than {self.phrase(node.right, around).text}")
            case queries.Each():
                return self._of_each(node, around)
            case names.ValueCall():
                found = self.vocabulary.values.get(node.id)
                if found is None or found.type.tag not in ("set", "list"):
                    return None
                forms = two_forms(found.reads) if found.reads else None
                if forms is not None:
                    filling = self._filling(node, around)
                    one, many = (filled(pieces_of(form), filling.get) for form in forms)
                    return Group(one, many)
                if found.reads or found.value is None or node.id in around.inlined:
                    return None
                return self.group(found.value, self.inside(node, around))
        if isinstance(node, _SETS):
            return self.group(node.of, around)
        return None

    def _distance(self, key: Node | None, local: int, order: str, around: Surroundings) -> str:
        """What is nearest or farthest says so, rather than how far it is."""
        if not isinstance(key, queries.CoreFunctionCall) or key.function != "distance":
            return ""
        others = [arg for arg in key.args if not (isinstance(arg, names.LocalRef) and arg.number == local)]
        if len(others) != 1:
            return ""
        of = self.phrase(others[0], around).text
        return f"nearest to {of}" if order == "lowest" else f"farthest from {of}"

    def _items(self, node: Node, around: Surroundings) -> Group | None:
        if isinstance(node, names.PileRef):
            kind = self.vocabulary.kind_of_pile(node.id)
        elif isinstance(node, reads.FieldOf):
            found = self.vocabulary.field(node.owner, node.name)
            kind = self.vocabulary.typed(found.type) if found is not None else ""
        else:
            return None
        group = self.vocabulary.group(kind or "Thing")
        where = (
            self.vocabulary.named("pile", node.id)
            if isinstance(node, names.PileRef)
            else self.phrase(node, around).text
        )
        return group.with_test(located(where))

    def _of_each(self, node: queries.Each, around: Surroundings) -> Group | None:
        body = node.body
        inner = self.group(node.of, around)
        while isinstance(body, reads.SlotContent | reads.PileItems):
            body = body.of
        if inner is None or not isinstance(body, reads.FieldOf):
            return None
        found = self.vocabulary.field(body.owner, body.name)
        kind = self.vocabulary.typed(found.type) if found is not None else ""
        noun = self.vocabulary.field_noun(body.owner, body.name)
        if kind and found is not None and found.pile is not None:
            return self.vocabulary.group(kind).with_test(f"in the {noun} of {inner.some().text}")
        return Group(noun, noun, (f"of {inner.plain().text}",))

    def _narrowed(self, group: Group, test: Node, local: int, around: Surroundings) -> Group:
        known = around.with_names({local: always(IT)})
        said = self.speaker.conditions.qualifier(test, local, known)
        return group.with_test(said)

    def _set(self, node: Node, around: Surroundings) -> Phrase:
        group = self.group(node, around)
        if group is not None:
            return group.plain()
        if isinstance(node, reads.PileItems | reads.SortCopies):
            return Phrase(self.phrase(node.of, around).text, "many")
        if isinstance(node, queries.Filter) and isinstance(node.of, reads.PoolDice):
            return Phrase("some of the dice", "many")
        return Phrase("those", "many")

    def _searched(self, node: Node, around: Surroundings) -> Phrase:
        match node:
            case queries.First() | queries.Last():
                group = self.group(node.of, around)
                which = "first" if isinstance(node, queries.First) else "last"
                if group is not None:
                    return Phrase(f"the {which} {group.one}{group.tail}")
                return Phrase(f"the {which} of {self.phrase(node.of, around).text}")
            case queries.RandomOne():
                group = self.group(node.of, around)
                return Phrase(f"a random {group.one}{group.tail}" if group else "one at random")
            case queries.Count():
                group = self.group(node.of, around)
                many = group.plain().text if group else self.phrase(node.of, around).text
                return Phrase(f"the number of {many}", "number")
            case queries.Total():
                return Phrase(f"the total of {self.phrase(node.of, around).text}", "number")
            case queries.Highest() | queries.Lowest():
                which = type(node).__name__.lower()
                return Phrase(f"the {which} of {self.phrase(node.of, around).text}", "number")
            case queries.Least() | queries.Greatest():
                which = "lowest" if isinstance(node, queries.Least) else "highest"
                items = listed([self.phrase(item, around).text for item in node.items])
                return Phrase(f"the {which} of {items}", "number")
            case queries.NewThing():
                return self.vocabulary.group(node.kind).some()
            case queries.CoreFunctionCall():
                return self._core(node, around)
            case operators.SetUnion():
                left, right = self.phrase(node.left, around), self.phrase(node.right, around)
                return Phrase(f"{left.text} and {right.text}", "many")
            case (
                names.ThingsOfKind()
                | names.Bearers()
                | queries.Filter()
                | queries.Each()
                | queries.Best()
                | queries.Sorted()
                | operators.SetMinus()
                | operators.Rotate()
            ):
                return self._set(node, around)
        return Phrase(self.speaker.conditions.clause(node, around))

    def _core(self, node: queries.CoreFunctionCall, around: Surroundings) -> Phrase:
        args = [self.phrase(arg, around).text for arg in node.args]
        match node.function:
            case "room":
                return Phrase(f"the room left in {args[0]}", "number")
            case "supply":
                return Phrase(f"the number of {args[0]} tokens in the supply", "number")
            case "copy":
                return Phrase(f"a copy of {args[0]}")
            case "distance":
                return Phrase(f"the distance from {args[0]} to {args[1]}", "number")
            case "spots":
                return Phrase(f"the places with {with_article(args[0])}", "many")
            case "distinct":
                return Phrase(f"different {args[0]}", "many")
            case "shuffled":
                return Phrase(args[0], "many")
            case "top":
                return Phrase(f"the top card of {args[0]}")
        return Phrase(f"the {words(node.function)} of {listed(args)}")


def _is_set(node: Node) -> bool:
    return isinstance(node, names.ThingsOfKind | names.Bearers | queries.Filter | queries.Each)


def _conjuncts(node: Node) -> list[Node]:
    if isinstance(node, operators.And):
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


__all__ = ["IT", "Expressions"]
