"""How large a document may be."""

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 200
