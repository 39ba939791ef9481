"""Says why a file does not match its schema: where, what stands there, and what belongs there."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

import jsonschema_rs

from talewright.schemas.loading import schema
from talewright.schemas.problems import shown

# The error that is told is the best of so many.
MAX_ERRORS = 100


def refusal(whole: Any, name: str, *others: str) -> str:
    """Why a value does not match a schema, which may refer to others; empty if it does.

    `jsonschema_rs` is quick to accept. `jsonschema` takes its time, but knows which of several errors matters most.
    """
    if _validator(name, others).is_valid(whole):
        return ""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing import Registry

    registry: Registry[Any] = Registry().with_contents((made["$id"], made) for made in map(schema, others))
    errors = Draft202012Validator(schema(name), registry=registry).iter_errors(whole)
    error = best_match(islice(errors, MAX_ERRORS))
    assert error is not None
    path, reason = tuple(error.absolute_path), str(error.message)[:200]
    if not path:
        return reason
    meant = schema(name)["properties"][path[0]].get("description", "")
    return f"`{shown(path)}`: {reason}{f' (`{path[0]}` holds {meant})' if meant else ''}"


@cache
def _validator(name: str, others: tuple[str, ...]) -> jsonschema_rs.Draft202012Validator:
    registry = jsonschema_rs.Registry([(made["$id"], made) for made in map(schema, others)])
    return jsonschema_rs.Draft202012Validator(schema(name), registry=registry)
