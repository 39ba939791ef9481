"""Elaborated files from earlier runs: taken where nothing they rest on has changed.

A file's share is kept under its text, the signatures of all that its words may name, and what all files have
in common. A type that is found by elaborating another file cannot be part of that name: it is kept as an
assumption and compared once the new types are known. When an assumption fails, the run begins again without the
shares that made it.

Of names that broken lines may have meant nothing is reported. A file without findings has none to lose when more
names are broken; it is elaborated again when one that it holds is broken no longer.
"""

from __future__ import annotations

import marshal
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from talewright.compiler.checks.usage_index import Notes, Seen
from talewright.compiler.incremental.bundles import Bundle
from talewright.compiler.incremental.cache import Store, digest
from talewright.compiler.incremental.file_facts import Facts, KeptSpots, pack_spots
from talewright.compiler.incremental.parsed_files import ReadFile
from talewright.compiler.incremental.signatures import Signatures, key_of
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.types.model import Type
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages.loader import PackageSet
from talewright.dsl.tree import nodes as t
from talewright.schemas.records import replace


class Reuse:
    """What is taken from earlier runs, and what this run leaves for later ones."""

    def __init__(
        self,
        store: Store,
        work: FactRecorder,
        files: Sequence[ReadFile],
        packages: PackageSet,
        wrong: Collection[str] = (),
    ) -> None:
        self._store = store
        self._work = work
        self._files = files
        # Files whose share took something for granted that does not hold.
        self._wrong = wrong
        self._signatures = Signatures(work)
        self._inferred = self._signatures.inferred()
        self._assumed: dict[str, dict[str, str]] = {}
        self._found: list[Diagnostic] = []
        self._modified: set[str] = set()
        main = packages.main
        assert main is not None
        everywhere = " ".join(f"{p.name} {p.type}" for p in packages.packages)
        self._common = digest(main.name, everywhere, self._signatures.common())
        self._shares = Bundle(store, "shares", main.name, str(main.folder))
        self._keys = self._all_keys()

    def _all_keys(self) -> dict[str, str]:
        """The keys of all shares; where nothing that a file names has changed, the one it had before."""
        before = self._shares.beside()
        known: dict[str, tuple[str, str, str, str]] = {}
        changed: set[str] = set()
        if isinstance(before, tuple) and len(before) == 3 and before[0] == self._common:
            known = before[2]
            changed = self._signatures.changed_since(before[1])
        made: dict[str, str] = {}
        for file in self._files:
            name, origin = file.source.name, file.origin
            *same, key = known.get(name, ("",))
            if same != [file.digest, origin.package, origin.layer] or (
                changed and not changed.isdisjoint(file.words())
            ):
                key = self._key(file)
            made[name] = key
        return made

    def _beside(self) -> tuple[str, dict[str, str], dict[str, tuple[str, str, str, str]]]:
        """What `_all_keys` of a later run compares."""
        keys = {
            file.source.name: (
                file.digest,
                file.origin.package,
                file.origin.layer,
                self._keys[file.source.name],
            )
            for file in self._files
        }
        return self._common, self._signatures.texts(), keys

    def _key(self, file: ReadFile) -> str:
        origin = file.origin
        names = self._signatures.of_words(file.words())
        return digest(file.source.name, file.digest, origin.package, origin.layer, self._common, names)

    # -------------------------------------------------------------- taking
    def take(self) -> None:
        """Puts every kept share that fits into the work."""
        if self._signatures.doubled:
            return
        for file in self._files:
            name = file.source.name
            if name in self._work.shelf.by_file and name not in self._wrong:
                kept = _unpacked(self._shares.load(self._keys[name]), self._work.shelf.of(name).number, file)
                if kept is not None:
                    self._put(name, *kept)

    def _put(
        self,
        name: str,
        facts: Facts,
        provides: dict[str, Type],
        assumes: dict[str, str],
        found: list[Diagnostic],
        modified: str,
        broken: frozenset[str],
        notes: dict[int, Seen],
    ) -> None:
        work = self._work
        if not broken <= work.table.broken:
            return
        self._modified.add(modified)
        work.shelf.put(name, facts)
        work.shelf.notes.update(notes)
        work.done.update(facts.units)
        for key, type_ in provides.items():
            if key in self._inferred:
                self._inferred[key].type = type_
        self._assumed[name] = assumes
        self._found.extend(found)

    def found(self) -> list[Diagnostic] | None:
        """What the checks of single files found in the files that were taken; none if it no longer counts."""
        return self._found if self._modified <= {self._changes()} else None

    def _changes(self) -> str:
        return digest(*sorted(self._work.modified))

    def failed(self) -> set[str]:
        """The files whose kept share took something for granted that has not turned out so."""
        if not self._assumed:
            return set()
        if self._tangled():
            return set(self._assumed)
        types = self._types(self._inferred)
        return {
            name
            for name, assumed in self._assumed.items()
            if any(types.get(key) != type_ for key, type_ in assumed.items())
        }

    def _types(self, keys: Iterable[str]) -> dict[str, str]:
        made: dict[str, str] = {}
        for key in keys:
            type_ = self._inferred[key].type
            made[key] = self._signatures.of_type(type_) if type_ is not None else ""
        return made

    def _tangled(self) -> bool:
        """Whether types rest on each other in a circle: then the order of elaboration decides them."""
        after: dict[str, list[str]] = {}
        for facts in self._work.shelf.all():
            for unit, other in facts.waits:
                after.setdefault(unit, []).append(other)
        return has_circle(after)

    # -------------------------------------------------------------- leaving
    def leave(self, found: Iterable[Diagnostic], notes: Mapping[int, Notes], everything: bool) -> None:
        """Keeps the share of clean files for later runs, with what checks found and noted in each."""
        fresh = [f for f in self._files if self._is_to_keep(f.source.name, everything)]
        if fresh and not self._signatures.doubled and not self._tangled():
            types = self._types(self._inferred)
            findings: dict[str, list[Diagnostic]] = {}
            for diagnostic in found:
                findings.setdefault(diagnostic.span.file, []).append(diagnostic)
            for file in fresh:
                self._leave(file, types, findings.get(file.source.name, []), notes)
            keys = list(self._keys.values())
            anew = self._shares.is_old(keys)
            self._shares.close(keys, self._beside() if anew else None, anew=anew)
        if not self._store.written:
            self._shares.keep_beside(self._beside())
        self._store.tidy()

    def _is_to_keep(self, name: str, everything: bool) -> bool:
        facts = self._work.shelf.by_file.get(name)
        return facts is not None and facts.clean and (everything or not facts.kept)

    def _leave(
        self,
        file: ReadFile,
        types: Mapping[str, str],
        found: list[Diagnostic],
        notes: Mapping[int, Notes],
    ) -> None:
        name = file.source.name
        provides: dict[str, Type] = {}
        assumes: dict[str, str] = {}
        for symbol in self._signatures.symbols(file.words()):
            key = key_of(symbol)
            if key is None:
                continue
            if symbol.origin.source.name == name:
                provides[key] = self._inferred[key].type
            else:
                assumes[key] = types[key]
        facts = self._work.shelf.of(name)
        packed = _packed(facts, notes) if self._store.written else _settled(facts, notes)
        # A finding that points into another file would point at the wrong line when that file changes.
        stays = all(label.span.file == name for each in found for label in each.labels)
        if packed is not None and stays:
            broken = file.words() & self._work.table.broken
            share = packed, provides, assumes, found, self._changes(), broken
            self._shares.keep(self._keys[name], share)


def has_circle(after: Mapping[str, Sequence[str]]) -> bool:
    """Whether a walk along the arrows can come back to where it was."""
    done: set[str] = set()
    for start in after:
        path: set[str] = set()
        stack: list[tuple[str, bool]] = [(start, False)]
        while stack:
            name, leaving = stack.pop()
            if leaving:
                path.discard(name)
                done.add(name)
            elif name in path:
                return True
            elif name not in done:
                path.add(name)
                stack.append((name, True))
                stack.extend((other, False) for other in after.get(name, ()))
    return False


def _settled(facts: Facts, notes: Mapping[int, Notes]) -> tuple[Facts, dict[int, Seen]]:
    """What a process that goes on keeps of a file: its code as it is, which nobody changes any more."""
    kept = replace(facts, spots=KeptSpots(*pack_spots(facts.spots)), findings=[], kept=True)
    return kept, {id(ir): notes[id(ir)].for_all() for ir in facts.pieces() if id(ir) in notes}


def _packed(facts: Facts, notes: Mapping[int, Notes]) -> bytes | None:
    where = [(node.start, node.end) for node, _ in facts.idle_where]
    pool: dict[Any, Any] = {}
    plain = (
        facts.used,
        facts.modified,
        where,
        pack_spots(facts.spots),
        facts.units,
        facts.loose,
        facts.tests,
        list(facts.waits),
        # Beside the code they are about: nodes that both hold are still the same ones when read back.
        [(ir, _one_of_each(notes[id(ir)].for_all(), pool)) for ir in facts.pieces() if id(ir) in notes],
    )
    try:
        return marshal.dumps(plain)
    except ValueError:
        return None


def _one_of_each(seen: Seen, pool: dict[Any, Any]) -> Seen:
    """The same with equal names as one object: each is then read back once."""
    *names, nodes, rules = seen
    shared = [
        pool.setdefault(part, part) for part in (tuple(pool.setdefault(n, n) for n in p) for p in names)
    ]
    return (*shared, nodes, rules)


def _unpacked(kept: Any, number: int, file: ReadFile) -> tuple[Facts, Any, Any, Any, Any, Any, Any] | None:
    try:
        packed, provides, assumes, found, changes, broken = kept
        if isinstance(packed, tuple):
            facts, noted = packed
            return _copied(facts), provides, assumes, found, changes, broken, noted
        used, modified, where, spots, units, loose, tests, waits, noted = marshal.loads(packed)
    except (TypeError, ValueError, EOFError):
        return None
    idle = [(t.Node(start, end), file.origin) for start, end in where]
    facts = Facts(
        number, used, modified, idle, [], KeptSpots(*spots), units, loose, tests, set(waits), True, True
    )
    return facts, provides, assumes, found, changes, broken, {id(ir): notes for ir, notes in noted}


def _copied(facts: Facts) -> Facts:
    """The same facts; what a run may add to them stays with that run."""
    return replace(
        facts,
        used=set(facts.used),
        modified=set(facts.modified),
        idle_where=list(facts.idle_where),
        findings=[],
        units=dict(facts.units),
        waits=set(facts.waits),
    )
