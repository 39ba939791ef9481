"""Every name that packages declare.

- `declarations`: the first pass: collects all declarations of all packages
- `symbol_table`: what it collects them in
- `core`: what the language itself gives: kinds, properties, functions, verbs
- `scope`: what can be seen from one place in the text
- `suggestions`: `did you mean ...?`
- `generated_names`: names that the compiler makes up itself
"""
