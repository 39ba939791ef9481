"""What runs a program in the low-level form.

`interface` says what every engine offers. `wasm` writes WebAssembly and runs it by `wasmtime`; `python` writes Python
from the same nodes. `selection` chooses between them; `cache` keeps what `wasmtime` compiled.
"""
