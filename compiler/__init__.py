"""From syntax trees to a checked document."""

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
