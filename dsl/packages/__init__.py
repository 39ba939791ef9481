"""Packages on disk.

- `loader`: finds a package and all it uses, in the order they build on each other
- `manifest`: `tale.toml`, read and checked; `toml_spans`: where its keys and values stand
- `files`: reads texts within limits
- `package_codes`: the findings about packages
"""
