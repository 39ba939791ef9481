"""The hash function of what is kept from run to run; `hashlib` would load the whole of OpenSSL first."""

from __future__ import annotations

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

__all__ = ["blake2b"]
