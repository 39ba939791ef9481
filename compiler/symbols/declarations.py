"""First pass: collects every declaration of every package into one table."""

from __future__ import annotations

from collections.abc import Sequence

from talewright.compiler.symbols import core
from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    ContainerSymbol,
    DieSymbol,
    FieldSymbol,
    KindSymbol,
    MeasureSymbol,
    MenuSymbol,
    MovementSymbol,
    OptionSymbol,
    Origin,
    PaymentSymbol,
    PeriodSymbol,
    PlanSymbol,
    Rules,
    SeatSymbol,
    StateSymbol,
    Symbol,
    Table,
    TableSymbol,
    TeamSymbol,
    ThingSymbol,
    TokenSymbol,
    TrackSymbol,
    TraitSymbol,
    TypeSymbol,
    ValueSymbol,
)
from talewright.compiler.types.lookups import Work, core_field, name_span
from talewright.compiler.types.model import INT, TRUTH, Type, optional
from talewright.dsl.diagnostics import Label
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as t
from talewright.schemas.records import replace

_PARENT = "a kind descends from kinds; its things get their traits one by one, or by `grant`"
# As the grammar reads dice.
CORE_ORIGIN = Origin(Source("core", ""), "core", "core")


class Declare:
    """Collects all declarations, then resolves what depends on several of them."""

    def __init__(self) -> None:
        self.work = Work(Table())
        self.table = self.work.table
        for name, parents in core.CORE_KINDS.items():
            symbol = KindSymbol(name, t.Node(0, 0), CORE_ORIGIN, list(parents), [], core=True)
            for field_name, type_ in core.CORE_FIELDS.get(name, {}).items():
                symbol.fields[field_name] = core_field(name, field_name, CORE_ORIGIN, type_)
            self.table.kinds[name] = symbol
        for name, kind in core.CORE_THINGS.items():
            self._add_thing(ThingSymbol(name, t.Node(0, 0), CORE_ORIGIN, kind, None, 1, None, None))

    def file(self, declarations: Sequence[t.Decl], origin: Origin) -> None:
        """Takes in the declarations of one file."""
        for decl in declarations:
            self._declaration(decl, origin)

    # -------------------------------------------------------------- one declaration
    def _declaration(self, decl: t.Decl, origin: Origin) -> None:
        table = self.table
        match decl:
            case t.ThingDecl():
                self._thing(decl, origin)
            case t.KindDecl():
                self._kind(decl, origin, [p.text for p in decl.parents] or ["Thing"], decl.members)
            case t.ActionDecl():
                self._action(decl, origin)
            case t.ValueDecl():
                self._value(decl, origin)
            case t.TraitDecl():
                members = [(m, origin) for m in decl.members]
                self._add_kind(TraitSymbol(decl.name.text, decl, origin, decl.params, members))
            case t.TypeDecl():
                self._type(decl, origin)
            case t.ExtendKind():
                table.loose.append(Rules(decl, origin))
            case t.ContainerDecl():
                self._add(ContainerSymbol(decl.name.text, decl, origin, decl))
            case t.TokenDecl():
                for word in decl.names:
                    self._add(TokenSymbol(word.text, decl, origin, decl.count))
            case t.TrackDecl():
                self._add(TrackSymbol(decl.names[0].text, decl, origin, decl))
            case t.DieDecl():
                self._die(decl, origin)
            case t.TableDecl():
                symbol = TableSymbol(decl.name.text, decl, origin, decl)
                self._add_function(decl.name.text, symbol)
            case t.RoleDecl():
                self._role(decl, origin)
            case t.TeamDecl():
                self._add(TeamSymbol(decl.name.text, decl, origin, decl))
            case t.OptionDecl():
                self._add(OptionSymbol(decl.name.text, decl, origin, decl))
            case t.StateDecl():
                self._add(StateSymbol(decl.name.text, decl, origin, decl))
            case t.PlanDecl():
                self._add(PlanSymbol(decl.name.text, decl, origin, decl))
            case t.MovementDecl():
                self._add(MovementSymbol(decl.name.text, decl, origin, decl))
            case t.PaymentDecl():
                self._add(PaymentSymbol(decl.name.text, decl, origin, decl))
            case t.PeriodDecl():
                self._add_in(table.periods, PeriodSymbol(decl.name.text, decl, origin, decl))
            case t.MenuDecl():
                self._menu(decl, origin)
            case t.MeasureDecl():
                self._add(MeasureSymbol(decl.name.text, decl, origin, decl))
            case t.WhileDecl():
                layer = "option" if origin.layer == "system" else origin.layer
                inner = replace(origin, layer=layer, conditions=(*origin.conditions, decl.condition))
                table.conditions.append(Rules(decl.condition, origin))
                self.file(decl.declarations, inner)
            case t.TestDecl():
                table.tests.append(Rules(decl, origin))
            case t.StartAfterDecl():
                table.start_after = Rules(decl, origin)
            case _:
                table.loose.append(Rules(decl, origin))

    def _type(self, decl: t.TypeDecl, origin: Origin) -> None:
        known = self.table.kinds.get(decl.name.text)
        words = [self.work.no_dice(word, origin) for word in decl.words]
        if decl.extends and isinstance(known, TypeSymbol):
            known.words.extend(w for w in words if w not in known.words)
        elif decl.extends:
            self.table.loose.append(Rules(decl, origin))
            return
        else:
            self._add_kind(TypeSymbol(decl.name.text, decl, origin, words, decl.ordered))
        for word in words:
            self.table.words.setdefault(word, []).append(decl.name.text)

    def _kind(
        self, decl: t.KindDecl, origin: Origin, parents: list[str], members: Sequence[t.Member]
    ) -> None:
        self._add_kind(KindSymbol(decl.name.text, decl, origin, parents, [(m, origin) for m in members]))

    def _role(self, decl: t.RoleDecl, origin: Origin) -> None:
        parents = ["Seat", *(p.text for p in decl.parents)]
        members = [(m, origin) for m in decl.members]
        self._add_kind(KindSymbol(decl.name.text, decl, origin, parents, members, role=decl))
        if decl.seat is None:
            return
        if decl.high == 1:
            self._add(SeatSymbol(decl.seat.text, decl, origin, decl.name.text, 1))
        else:
            for number in range(1, min(decl.high, 64) + 1):
                self._add(SeatSymbol(f"{decl.seat.text}{number}", decl, origin, decl.name.text, number))

    def _die(self, decl: t.DieDecl, origin: Origin) -> None:
        if decl.name.text[0].isupper():
            self._add_kind(KindSymbol(decl.name.text, decl, origin, ["Thing"], [], die=decl))
            sort = decl.name.text
            for number in range(1, min(decl.copies, 999) + 1):
                name = f"{sort}_{number}"
                self._add_thing(ThingSymbol(name, decl, origin, sort, None, 1, None, None, sort=sort))
        else:
            self._add(DieSymbol(decl.name.text, decl, origin, decl))

    def _menu(self, decl: t.MenuDecl, origin: Origin) -> None:
        self._add_in(self.table.menus, MenuSymbol(decl.name.text, decl, origin, decl))

    def _action(self, decl: t.ActionDecl, origin: Origin) -> None:
        self.work.no_dice(decl.verb, origin)
        parts = ",".join(sorted(p for p, _ in decl.parts))
        scope = f"{origin.chapter}:" if origin.chapter else ""
        name = f"{scope}{decl.verb.text}/{parts}"
        known = self.table.verbs.setdefault(decl.verb.text, [])
        if any(other.id == name and (other.decl.first is None) != (decl.first is None) for other in known):
            # `rest` and `rest h` differ only in their first argument: two actions, two ids.
            name += "-" if decl.first is None else "+"
        known.append(ActionSymbol(decl.verb.text, decl, origin, decl, name))

    def _value(self, decl: t.ValueDecl, origin: Origin) -> None:
        scope = f"{origin.chapter}:" if origin.chapter else ""
        symbol = ValueSymbol(decl.name.text, decl, origin, decl, f"{scope}{decl.name.text}")
        if decl.params:
            self._add_function(decl.name.text, symbol)
        else:
            self._add(symbol)

    # -------------------------------------------------------------- things
    def _thing(self, decl: t.ThingDecl, origin: Origin) -> None:
        for word in decl.ids:
            title = decl.title.raw if decl.title else None
            per = decl.copies_per.text if decl.copies_per else None
            symbol = ThingSymbol(word.text, decl, origin, decl.kind.text, title, decl.copies, per, decl)
            self._add_thing(symbol)
            if 1 < decl.copies <= 999:
                for number in range(1, decl.copies + 1):
                    copy = f"{word.text}_{number}"
                    self._add_thing(
                        ThingSymbol(copy, decl, origin, decl.kind.text, title, 1, None, None, sort=word.text)
                    )
            self._inside(word.text, t.light(decl), origin)

    def _inside(self, owner: str, items: Sequence[t.Item], origin: Origin) -> None:
        inner = replace(origin, owner=owner)
        for item in items:
            match item:
                case t.InlineThing() if item.field.text != "face":
                    symbol = ThingSymbol(
                        item.id.text, item, inner, "", item.title.raw if item.title else None, 1, None, item,
                        owner, item.field.text,
                    )  # fmt: skip
                    self._add_thing(symbol)
                    self._inside(item.id.text, item.items, origin)
                case t.ActionDecl():
                    self._action(item, replace(inner, chapter=owner))
                case t.ValueDecl():
                    self._value(item, replace(inner, chapter=owner))
                case t.StateDecl():
                    self._add(StateSymbol(item.name.text, item, replace(inner, chapter=owner), item))
                case t.TrackDecl():
                    self._add(TrackSymbol(item.names[0].text, item, replace(inner, chapter=owner), item))
                case t.MenuDecl():
                    self._menu(item, replace(inner, chapter=owner))

    # -------------------------------------------------------------- into the table
    def _no_dice(self, symbol: Symbol) -> None:
        """Reports a name such as `d6`, which always means dice."""
        self.work.no_dice(t.Word(*name_span(symbol), symbol.name), symbol.origin)

    def _add(self, symbol: Symbol) -> None:
        self._no_dice(symbol)
        chapter = symbol.origin.chapter
        if chapter is not None:
            self._twice(self.table.scoped.get((chapter, symbol.name)), symbol)
            self.table.scoped.setdefault((chapter, symbol.name), symbol)
            return
        self._twice(self.table.names.get(symbol.name), symbol)
        self.table.names.setdefault(symbol.name, symbol)

    def _add_thing(self, symbol: ThingSymbol) -> None:
        self._no_dice(symbol)
        known = self.table.names.get(symbol.name)
        self._twice(known, symbol)
        if known is None:
            self.table.names[symbol.name] = symbol
            if symbol.kind:
                self.table.things_of.setdefault(symbol.kind, []).append(symbol)

    def _add_in(
        self, space: dict[str, Symbol] | dict[str, PeriodSymbol] | dict[str, MenuSymbol], symbol: Symbol
    ) -> None:
        self._twice(space.get(symbol.name), symbol)
        space.setdefault(symbol.name, symbol)  # type: ignore[arg-type]

    def _add_kind(self, symbol: KindSymbol | TraitSymbol | TypeSymbol) -> None:
        known = self.table.kinds.get(symbol.name)
        if isinstance(known, KindSymbol) and known.core and symbol.name in core.REPLACEABLE_KINDS:
            known = None
        self._twice(known, symbol)
        if known is None:
            self.table.kinds[symbol.name] = symbol

    def _add_function(self, name: str, symbol: ValueSymbol | TableSymbol) -> None:
        self._no_dice(symbol)
        self.table.functions.setdefault(name, []).append(symbol)

    def _twice(self, known: Symbol | None, symbol: Symbol) -> None:
        if known is None:
            return
        node = symbol.node
        word = next(
            (
                w
                for w in (getattr(node, "ids", None) or getattr(node, "names", None) or [])
                if w.text == symbol.name
            ),
            getattr(node, "name", None) or getattr(node, "id", None) or node,
        )
        if not isinstance(word, t.Node):
            word = node
        if known.origin.package == "core":
            self.work.report(
                "N209", symbol.origin, word, f"`{symbol.name}` is a {known.form} of the core and cannot be declared again",
                "choose another name",
            )  # fmt: skip
            return
        self.work.report(
            "N209", symbol.origin, word, f"`{symbol.name}` is declared twice",
            "rename one of them" if known.form == symbol.form else f"rename this {symbol.form}",
            [self.work.label(known, f"first declared here, as a {known.form}")],
        )  # fmt: skip

    # -------------------------------------------------------------- what depends on everything
    def settle(self) -> Work:
        """Resolves extensions, kinds, field types and plan places; gives the shared work."""
        work = self.work
        rest: list[Rules] = []
        for loose in self.table.loose:
            if isinstance(loose.node, t.ExtendKind):
                self._extend(loose)
            elif isinstance(loose.node, t.TypeDecl):
                self._extend_type(loose)
            else:
                rest.append(loose)
        self.table.loose = rest
        self._parents()
        for kind in list(self.table.kinds.values()):
            if isinstance(kind, (KindSymbol, TraitSymbol)):
                self._fields(kind)
        self._clashes()
        self._inline_kinds()
        self._plans()
        for symbol in [*self.table.names.values(), *self.table.scoped.values()]:
            if isinstance(symbol, (OptionSymbol, StateSymbol)):
                symbol.type = work.read_type(symbol.decl.type, symbol.origin)
        return work

    def _extend(self, loose: Rules) -> None:
        decl: t.ExtendKind = loose.node
        help = f"write `extend type {decl.name.text} = ...` to add words"
        self.work.need_form(decl.name, loose.origin, KindSymbol, TraitSymbol, help=help)
        symbol = self.table.kinds.get(decl.name.text)
        if isinstance(symbol, (KindSymbol, TraitSymbol)):
            symbol.members.extend((m, loose.origin) for m in decl.members)

    def _extend_type(self, loose: Rules) -> None:
        decl: t.TypeDecl = loose.node
        name = decl.name.text
        symbol = self.table.kinds.get(name)
        if symbol is not None:
            self.work.need_form(
                decl.name, loose.origin, TypeSymbol, help=f"write `extend {name}:` to add fields or rules"
            )
        elif name not in self.table.broken:
            types = [known for known, found in self.table.kinds.items() if isinstance(found, TypeSymbol)]
            help = self.work.suggest(name, types) or f"declare it: `type {name} = ...`"
            self.work.report("N203", loose.origin, decl.name, f"there is no type `{name}`", help)
        if isinstance(symbol, TypeSymbol):
            symbol.words.extend(w.text for w in decl.words if w.text not in symbol.words)

    def _parents(self) -> None:
        work = self.work
        for kind in list(self.table.kinds.values()):
            if not isinstance(kind, KindSymbol):
                continue
            node = kind.node
            words = node.parents if isinstance(node, (t.KindDecl, t.RoleDecl)) else []
            for word in words:
                if not work.need_form(word, kind.origin, KindSymbol, help=_PARENT):
                    kind.parents = [p for p in kind.parents if p != word.text]
            kind.parents = [p for p in kind.parents if isinstance(self.table.kinds.get(p), KindSymbol)] or (
                [] if kind.name == "Thing" else ["Thing"]
            )
        self._cycles()
        for kind in self.table.kinds.values():
            if isinstance(kind, KindSymbol):
                for parent in kind.parents:
                    self.table.children.setdefault(parent, []).append(kind.name)

    def _cycles(self) -> None:
        """Cuts kinds that descend from themselves, with a finding."""
        done: set[str] = set()
        for start in list(self.table.kinds):
            path: list[str] = []
            self._walk(start, path, done)

    def _walk(self, name: str, path: list[str], done: set[str]) -> None:
        stack: list[tuple[str, int]] = [(name, 0)]
        while stack:
            current, index = stack.pop()
            kind = self.table.kinds.get(current)
            if not isinstance(kind, KindSymbol) or (index == 0 and current in done):
                continue
            if index == 0:
                path.append(current)
            if index < len(kind.parents):
                stack.append((current, index + 1))
                parent = kind.parents[index]
                if parent in path:
                    loop = " is ".join([*path[path.index(parent) :], parent])
                    self.work.report(
                        "N215", kind.origin, t.Node(*name_span(kind)), f"a kind cannot descend from itself: {loop}",
                        f"take `{parent}` out of the parents of `{current}`",
                    )  # fmt: skip
                    kind.parents = [p for p in kind.parents if p != parent] or ["Thing"]
                    stack.pop()
                    stack.append((current, index))
                elif parent not in done:
                    stack.append((parent, 0))
            else:
                path.pop()
                done.add(current)

    def _fields(self, kind: KindSymbol | TraitSymbol) -> None:
        for member, origin in kind.members:
            match member:
                case t.FieldDecl():
                    type_ = self.work.read_type(member.type, origin)
                    for word in member.names:
                        self._field(kind, word, origin, member, type_)
                case t.TrackDecl():
                    type_ = Type("range", "track", (member.low, member.high))
                    for word in member.names:
                        self._field(kind, word, origin, member, type_)
                case t.Default() if isinstance(kind, KindSymbol):
                    kind.defaults[member.name.text] = member
        if isinstance(kind, TraitSymbol):
            for param in kind.params:
                self._param_field(kind, param)
        if isinstance(kind, KindSymbol) and kind.die is not None:
            faces = Type("face", kind.name)
            for name, type_ in (("face", faces), ("rerolled", TRUTH), ("purpose", optional(INT))):
                kind.fields[name] = core_field(kind.name, name, kind.origin, type_)

    def _param_field(self, kind: TraitSymbol, param: t.Param) -> None:
        """A bearer's trait parameters can be read like fields."""
        type_ = self.work.read_type(param.type, kind.origin)
        kind.fields.setdefault(
            param.name.text,
            FieldSymbol(param.name.text, param.name, kind.origin, kind.name, None, type_, (), ("parameter",)),
        )

    def _field(
        self,
        kind: KindSymbol | TraitSymbol,
        word: t.Word,
        origin: Origin,
        decl: t.FieldDecl | t.TrackDecl,
        type_: Type,
    ) -> None:
        known = kind.fields.get(word.text)
        if known is not None and known.origin.package != "core":
            self.work.report(
                "N209", origin, word, f"the field `{word.text}` of `{kind.name}` is declared twice",
                "take one of them away", [self.work.label(known, "first declared here")],
            )  # fmt: skip
            return
        per = tuple(w.text for w in decl.per)
        kind.fields[word.text] = FieldSymbol(
            word.text, word, origin, kind.name, decl, type_, per, tuple(decl.flags)
        )

    def _clashes(self) -> None:
        for kind in self.table.kinds.values():
            if not isinstance(kind, KindSymbol) or len(kind.parents) < 2:
                continue
            seen: dict[str, FieldSymbol] = {}
            for owner in self.work.lineage(kind.name)[1:]:
                symbol = self.table.kinds.get(owner)
                if not isinstance(symbol, KindSymbol):
                    continue
                for name, found in symbol.fields.items():
                    other = seen.setdefault(name, found)
                    if other is not found and not (
                        self.work.is_a(other.owner, found.owner) or self.work.is_a(found.owner, other.owner)
                    ):
                        self.work.report(
                            "N214", kind.origin, t.Node(*name_span(kind)),
                            f"`{kind.name}` gets the field `{name}` from both `{other.owner}` and `{found.owner}`",
                            f"rename `{name}` in one of them", self._places(other, found),
                        )  # fmt: skip

    def _places(self, *fields: FieldSymbol) -> list[Label]:
        """The places where fields are declared, for those that are declared in a text."""
        return [
            self.work.label(field, f"the one of `{field.owner}`")
            for field in fields
            if field.origin.package != "core"
        ]

    def _inline_kinds(self) -> None:
        for symbol in self.table.names.values():
            if isinstance(symbol, ThingSymbol) and symbol.inside and not symbol.kind:
                self._inline_kind(symbol)

    def _inline_kind(self, symbol: ThingSymbol) -> None:
        owner = self.table.names.get(symbol.inside or "")
        if not isinstance(owner, ThingSymbol):
            symbol.kind = "Thing"
            return
        if not owner.kind:
            self._inline_kind(owner)
        found = self.work.field_of(owner.kind, symbol.field or "")
        inner = found[0].type if found else None
        while inner is not None and inner.tag in ("optional", "list", "set"):
            inner = inner.of[0]
        if inner is None or inner.tag not in ("thing", "pile"):
            assert isinstance(symbol.decl, t.InlineThing)
            self.work.report(
                "N204", symbol.origin, symbol.decl.field,
                f"`{owner.kind}` has no field `{symbol.field}` that holds a thing",
                self.work.suggest(symbol.field or "", self.work.all_fields(owner.kind)),
            )  # fmt: skip
            symbol.kind = "Thing"
        else:
            symbol.kind = inner.name
        self.table.things_of.setdefault(symbol.kind, []).append(symbol)

    def _plans(self) -> None:
        default = self.work.place_kind()
        for symbol in list(self.table.names.values()):
            if isinstance(symbol, PlanSymbol):
                self._rows(symbol.decl.rows, default, symbol.origin)
            elif isinstance(symbol, ThingSymbol) and isinstance(symbol.decl, (t.ThingDecl, t.InlineThing)):
                for item in t.light(symbol.decl):
                    if isinstance(item, t.Drawn):
                        found = self.work.field_of(symbol.kind, item.name.text)
                        kind = found[0].type.name if found and found[0].type.tag == "plan" else ""
                        self._rows(item.rows, kind or default, symbol.origin)

    def _rows(self, rows: list[list[tuple[t.Word, str]]], kind: str, origin: Origin) -> None:
        for row in rows:
            for word, _ in row:
                if word.text == "." or word.text in self.table.names:
                    continue
                self._add_thing(ThingSymbol(word.text, word, origin, kind, None, 1, None, None))
