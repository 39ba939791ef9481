"""The document: JSON, the one form in which a package leaves the compiler.

- `assembly`: puts it together, writes and validates it
- `story_graph`: chapters, endings and the ways between them
- `depth`, `json_spans`: code nested too deeply; where values stand in a JSON text
- `shapes`, `declaration_shapes`, `expression_shapes`, `shape_kinds`, `shape_tables`: every node and its fields
- `schema_files`: writes the JSON Schemas and the tables of the docs from the shapes
"""
