"""The same file runs in a JavaScript engine: what is written is WebAssembly, not something only `wasmtime` reads."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from talewright.runtime.engines.wasm.emit import emit
from talewright.runtime.engines.wasm.host import WasmEngine

from ..ir.programs import STATE_END, Maker, cut_module, play

SCRIPT = """
const fs = require("fs");
const [file, seed, most, end] = process.argv.slice(2);
const program = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(file)), {}).exports;
const cells = new Int32Array(program.memory.buffer);
const states = [];
const keep = () => states.push(Array.from(cells.slice(0, Number(end))));
let trap = false;
try {
  program.open_game(Number(seed));
  while (program.run() === 1 && states.length < Number(most)) {
    keep();
    const turn = states.length;
    program.answer((turn * 7 + Math.floor(turn / 3)) % cells[4]);
  }
} catch (error) {
  if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  trap = true;
}
keep();
console.log(JSON.stringify({ trap, states }));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("seed", [3, 11, 27, 58])
def test_node_plays_the_same_game(seed: int, tmp_path: Path) -> None:
    module = cut_module(Maker(Random(seed)).module())
    script, file = tmp_path / "play.cjs", tmp_path / "game.wasm"
    script.write_text(SCRIPT, encoding="utf-8")
    file.write_bytes(emit(module))
    command = ["node", str(script), str(file), str(seed), "60", str(STATE_END)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    found = json.loads(done.stdout)
    program = WasmEngine().load(module)
    expected = play(program.machine(), seed)
    assert found["trap"] == (expected.fault is not None)
    reader = program.machine()
    for state, cells in zip(expected.states[: -1 if expected.fault else None], found["states"], strict=False):
        reader.restore(0, state)
        assert reader.read(0, STATE_END) == cells
    assert len(found["states"]) == len(expected.states)
