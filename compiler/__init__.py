"""From syntax trees to a checked document.

- `result`: the entry, `compile_package`; `passes`: the list of passes, in their order
- `symbols`: every name that packages declare (first pass)
- `types`: the types of Tale
- `lower`: declarations resolved, typed and lowered to code (second pass)
- `checks`: one file a check; `allowed_findings`: what an author has allowed
- `document`: the result as JSON, its shapes and its schemas
- `incremental`: what earlier runs worked out
- `in_memory`: packages without files, for samples and tests; `message_phrases`: phrases that messages share
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talewright.compiler.result import CompileResult as CompileResult
    from talewright.compiler.result import compile_package as compile_package

__all__ = ["CompileResult", "compile_package"]


def __getattr__(name: str) -> Any:
    # The compiler is heavy; `import talewright.compiler` alone stays quick.
    if name in __all__:
        from talewright.compiler import result as module

        return getattr(module, name)
    raise AttributeError(name)
