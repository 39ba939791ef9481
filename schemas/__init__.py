"""Everything Talewright reads or writes: JSON Schemas (Draft 2020-12), and the document's own checks.

The compiler writes documents and the runtime plays them; neither knows the other, and both read this.
- `nodes/`: the nodes of the document; `node_walk`: what is inside a node; `node_checks`: what must hold of one
- `core`, `kinds`: the verbs, functions and kinds that the language itself gives
- `loading`, `reading`, `references`, `problems`, `upgrade`: a document read, checked and brought up to date;
  `known_documents`: those for which nobody need do that again
- `schema_files`: writes the JSON Schemas; `index`: every id of a document; `limits`: how large it may be; `garbage`: no
  garbage collection while one is built
- `wording`, `texts`: the words in which cards are told; `refusals`: of a save or campaign; `records`: light dataclasses
"""
