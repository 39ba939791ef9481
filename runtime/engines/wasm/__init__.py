"""WebAssembly: `emit` writes the binary format, `binary` knows its numbers, `host` runs it by `wasmtime`."""
