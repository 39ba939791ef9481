"""How large a document may be."""

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 200
MAX_NAME = 200
MAX_TEXT = 200_000
# Numbers of locals and places.
MAX_NUMBER = 10**9
