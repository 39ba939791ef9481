"""What earlier runs worked out, used again where nothing has changed.

- `cache`, `bundles`: entries on disk, read only if they are ours and whole
- `memory`: the same in the memory of a process that goes on, for editors
- `parsed_files`, `elaborated_files`: what is kept of a file after parsing, and after lowering
- `file_facts`: what lowering one file brings to light
- `signatures`: what the rest of a package can tell about a declaration
"""
