"""BLAKE2, for keys of the cache. Importing `hashlib` instead would load all of OpenSSL."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

__all__ = ["blake2b"]
