"""Names the packages: each top-level folder of the source is a part of `talewright`."""

from setuptools import find_packages, setup

FOLDERS = ("dsl", "compiler", "runtime", "scenarios", "schemas", "report", "lsp", "cli")

setup(
    packages=[
        # No `__init__.py`: it stays a namespace, which the folders join, and holds `python -m talewright`.
        "talewright",
        *(
            f"talewright.{found}"
            for found in find_packages(".", include=[pattern for f in FOLDERS for pattern in (f, f"{f}.*")])
        ),
    ]
)
