"""Pages about documents from elsewhere: what `tale compile --check` finds."""

from __future__ import annotations

from talewright.compiler.checks.check import Check
from talewright.dsl.diagnostics import Severity
from talewright.schemas.problems import NAMES, Problem


def _page(code: str, why: str, bad: str, good: str) -> Check:
    severity: Severity = "info" if Problem(code, (), "").harmless else "error"
    return Check(code, NAMES[code], severity, why, bad, good)


DOCUMENT_PAGES: tuple[Check, ...] = (
    _page(
        "D801",
        "A document is JSON in UTF-8. This file is something else, or was cut short.",
        '{"format": "talewright document", "version": 2,',
        '{"format": "talewright document", "version": 2, ...}',
    ),
    _page(
        "D802",
        """A document says by its `format` that it is one. This file is JSON, but it was written by
        something else.""",
        '{"name": "my_game", "version": 1}',
        '{"format": "talewright document", "version": 2, ...}',
    ),
    _page(
        "D803",
        """A document says by its `version` how it is to be read. Older versions are brought up to the
        present one. A version this toolkit has never heard of is refused rather than guessed at.""",
        '{"format": "talewright document", "version": 99, ...}',
        '{"format": "talewright document", "version": 2, ...}',
    ),
    _page(
        "D804",
        """There are limits to what is read: the size of the file, how deep values are nested, how long one
        text is, how many things are in the box. No game comes near them; a damaged or hostile document
        may.""",
        '{"op": "not", "of": {"op": "not", "of": {"op": "not", "of": ... two hundred times',
        '{"op": "not", "of": {"op": "option", "id": "duel"}}',
    ),
    _page(
        "D805",
        """Every node of a document has its shape, laid down in the JSON Schemas: which fields it has and
        what may stand in them. The word in `op` (or `rule`, `key`, `step`) says which node it is.
        `docs/document.md` lists them all.""",
        '{"op": "add", "a": {"op": "int", "v": 1}}',
        '{"op": "add", "a": {"op": "int", "v": 1}, "b": {"op": "int", "v": 2}}',
    ),
    _page(
        "D806",
        """A document is whole: whatever a node names by its id (a thing, a kind, a field, an action, a
        value, a menu, a text of the catalogue) is declared in the same document. This id is not.""",
        '{"op": "thing", "id": "bell"}  with no `bell` among `content.things`',
        '{"op": "thing", "id": "lamp"}  with a `lamp` among them',
    ),
    _page(
        "D807",
        """Local names are numbers in a document. `locals` lists the names of one piece of code, so a
        number beyond its end means nothing, and a local that nothing binds cannot be read.""",
        '{"value": {"op": "local", "n": 3}, "locals": ["who"]}',
        '{"params": [0], "value": {"op": "local", "n": 0}, "locals": ["who"]}',
    ),
    _page(
        "D808",
        """`at` is a number into `sources.spots`, and each spot names a file, a line and a column where it
        begins, and a line and a column where it ends. Errors in play are shown by them.""",
        '{"op": "stop", "at": 12}  when `sources.spots` has 4 entries',
        '{"op": "stop", "at": 3}',
    ),
    _page(
        "D809",
        """A call of an action, value, table, trait, menu or function has as many arguments as the thing
        called.""",
        '{"op": "value", "id": "cost_of", "args": []}  when `cost_of` has one parameter',
        '{"op": "value", "id": "cost_of", "args": [{"op": "local", "n": 0}]}',
    ),
    _page(
        "D810",
        "An id names one thing of its section. Two of the same id could not be told apart.",
        '"tokens": [{"id": "coin", "count": 5}, {"id": "coin", "count": 9}]',
        '"tokens": [{"id": "coin", "count": 5}, {"id": "gem", "count": 9}]',
    ),
    _page(
        "D811",
        """A kind says what the fields of its things may hold, and `schemas` says the same as JSON Schema.
        This value is of another type, or outside the range of its field.""",
        '{"op": "int", "v": 9}  in a field of type 1..3',
        '{"op": "int", "v": 2}',
    ),
    _page(
        "D812",
        """Some nodes mean something only in certain places: `as_usual` in an `instead_of` rule, `result`
        in an `after` rule, the parameter of a trait inside that trait. Some numbers mean something only
        beside others: a track goes up, a kind does not descend from itself.""",
        '{"rule": "before", ..., "body": [{"op": "as_usual", "at": 3}]}',
        '{"rule": "instead_of", ..., "body": [{"op": "as_usual", "at": 3}]}',
    ),
    _page(
        "D813",
        """The document has an older version. It is brought up to the present one whenever it is read, and
        can be used as it is; compiling its package again writes it anew.""",
        '{"format": "talewright document", "version": 0, ...}',
        '{"format": "talewright document", "version": 2, ...}',
    ),
)
