"""The document: JSON, the one form in which a package leaves the compiler.

- `document_builder`: puts it together, writes and validates it
- `story_graph`: chapters, endings and the ways between them
- `depth`, `json_spans`: code nested too deeply; where values stand in a JSON text

What its nodes are is declared in `schemas/nodes`.
"""
