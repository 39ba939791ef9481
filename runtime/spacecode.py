"""Movements, payments and modified functions of the core as Python functions."""

from __future__ import annotations

from typing import Any

from talewright.runtime.charts import grid_rules, maps_of
from talewright.runtime.codeparts import Code
from talewright.runtime.faults import LoadError
from talewright.runtime.layout import IR
from talewright.runtime.ordering import OrderCode


class SpaceCode(OrderCode):
    """Writes what only some documents need: maps, ways of walking, ways of paying."""

    def find_maps(self) -> None:
        """The maps of the document, and its grid if it has one."""
        self.maps = maps_of(self.layout)
        grids = [t for t in self.layout.things if self.layout.is_a(t.kind, "Grid")]
        if len(grids) > 1:
            raise LoadError("there is more than one grid; a document can have one")
        if grids and self.maps:
            raise LoadError("a document has either plans of places or a grid, not both")
        self.grid = grids[0] if grids else None
        self.grid_rules = grid_rules(grids[0].source) if grids else None

        # Places without a plan are on no map, but somebody may still stand there.
        self.spatial = any(
            self.layout.is_a(t.kind, "Place") or t.source.get("cast") for t in self.layout.things
        )

    def x_inside(self, ir: IR, code: Code) -> str:
        where = ir["where"]
        if self.grid is not None and not (where["op"] == "thing" and where["id"] == self.grid.id):
            return f"inside({self.x(ir['thing'], code)}, {self.x(where, code)})"
        return super().x_inside(ir, code)

    def pile_text(self, ir: IR, code: Code) -> str:
        if self.grid is not None and ir["op"] == "thing" and ir["id"] != self.grid.id:
            return f"destination({self.x(ir, code)})"
        return super().pile_text(ir, code)

    # -------------------------------------------------------------- functions of the core that rules modify
    def write_core_values(self) -> None:
        """A function of the core that some rule modifies is folded like a declared value."""
        for key, rules in self.modifiers.items():
            if not key.startswith("core:"):
                continue
            name = key[5:]
            count = max(len(rule.ir["params"]) for rule in rules)  # type: ignore[attr-defined]
            params = [f"p{i}" for i in range(count)]
            listed = ", ".join(params)
            self.line(f"plain_{name} = core_{name}")
            with self.writer.block(f"def core_{name}({listed}):"):
                if key in self.dynamic_values:
                    self.line(
                        f"return fold(plain_{name}({listed}), LISTS[{self.const('MC:' + name)}], ({listed},))"
                    )
                else:
                    self._static_fold(rules, f"plain_{name}({listed})", params)

    def write_token_limits(self) -> None:
        """How many tokens a thing can hold, where that is worked out."""
        for kind in self.content["kinds"]:
            for held in kind.get("holds", ()):
                if "max" in held and held["max"]["op"] != "int":
                    most = self.x(held["max"], Code([], self_name="self_", verb="init"))
                    key = f"{self.const(kind['id'])}, {self.const(held['token'])}"
                    self.line(f"TOKEN_LIMITS[{key}] = lambda self_: {most}")

    # -------------------------------------------------------------- ways
    def write_fixed_ways(self) -> None:
        """Ways of walking that depend on the map alone are remembered by the map."""
        for name, value in self.values.items():
            if (
                len(value["params"]) == 3
                and name not in self.modifiers
                and self._of_map(value.get("value"), value)
            ):
                self.line(f"FIXED_WAYS.add(V{self.value_number(name)})")

    def _of_map(self, ir: Any, value: IR) -> bool:
        if not isinstance(ir, dict):
            return False
        match ir["op"]:
            case "truth" | "word" | "int" | "none":
                return True
            case "local":
                return ir["n"] in value["params"][1:]
            case "core":
                return ir["fn"] in ("open", "border", "way") and all(
                    self._of_map(a, value) for a in ir["args"]
                )
            case "and" | "or" | "same" | "eq" | "ne":
                return self._of_map(ir["a"], value) and self._of_map(ir["b"], value)
            case "not" | "is_none":
                return self._of_map(ir["of"], value)
        return False

    # -------------------------------------------------------------- movements
    def write_movements(self) -> None:
        """Each movement becomes a function from a mover to what the search for ways asks."""
        known = {movement["id"]: movement for movement in self.content["movements"]}
        for movement in self.content["movements"]:
            clauses: dict[str, str] = {}
            chain = [movement]
            while chain[-1].get("parent") in known and len(chain) < 50:
                chain.append(known[chain[-1]["parent"]])
            for owner in reversed(chain):
                for clause in owner["clauses"]:
                    clauses[clause["clause"]] = self._clause(clause)
            rows = ", ".join(f"{self.const(name)}: {text}" for name, text in clauses.items())
            self.line(f"MOVEMENTS[{self.const(movement['id'])}] = MovementRules({{{rows}}})")

    def _clause(self, clause: IR) -> str:
        self.writer.at = clause["at"]
        code = Code([self.local(i) for i in range(len(clause["locals"]))], verb="movement")
        name = self.writer.fresh("mc")
        mover, cell = code.names[clause["mover"]], code.names[clause["cell"]]
        if "things" in clause:
            with self.writer.block(f"def {name}({mover}):"):
                self.line(f"return {self.x(clause['things'], code)}")
            return f"('things', {name})"
        code.maybe.discard(clause["mover"])
        with self.writer.block(f"def {name}({mover}, {cell}):"):
            self.line(f"return {self.x(clause['value'], code)}")
        return f"('cell', {name})"

    # -------------------------------------------------------------- payments
    def write_payments(self) -> None:
        """Each rule of a payment: which things cover which symbols, how often, or which token lying where."""
        for payment in self.content["payments"]:
            rows = [self._payment_rule(rule) for rule in payment["rules"]]
            self.line(f"PAYMENTS[{self.const(payment['id'])}] = ({', '.join(rows)},)")

    def _payment_rule(self, rule: IR) -> str:
        self.writer.at = rule["at"]
        code = Code([self.local(i) for i in range(len(rule["locals"]))], verb="payment")
        symbol = code.names[rule["symbol"]]
        most = rule.get("at_most")
        limit: Any = (
            "None" if most is None else str(most) if isinstance(most, int) else self.x(most, Code([]))
        )
        test = "None"
        if "token" in rule:
            if "when" in rule:
                test = self.writer.fresh("py")
                with self.writer.block(f"def {test}({symbol}):"):
                    self.line(f"return {self.c(rule['when'], code)}")
            token, on = self.x(rule["token"], code), self.x(rule["on"], code)
            return f"PayByToken({token}, lambda: {on}, {test}, {limit})"
        if "when" in rule:
            test = self.writer.fresh("py")
            with self.writer.block(f"def {test}({code.names[rule['n']]}, {symbol}):"):
                self.line(f"return {self.c(rule['when'], code)}")
        return f"PayByThing({self.kind_set(rule['kind'])}, {test}, {limit})"
