"""Plain records, under the name they have always had here; they are made in `schemas.records`."""

from __future__ import annotations

from talewright.schemas.records import field, record, replace, storing

__all__ = ["field", "record", "replace", "storing"]
