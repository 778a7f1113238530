"""Modules in V8, the engine of Chromium and Node.js, give the bits that wasmtime and replay give."""

import base64
import json
import subprocess

import numpy as np

import anthropi as ap
from kernels.tapes import TAPES, flat, samples, tape

RUN = """
const found = [];
for (const { code, layout, inputs } of jobs) {
  const memory = new WebAssembly.Memory({ initial: layout.pages });
  const module = new WebAssembly.Module(Uint8Array.from(atob(code), (c) => c.charCodeAt(0)));
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  const Numbers = layout.precision === "float64" ? Float64Array : Float32Array;
  const numbers = new Numbers(memory.buffer);
  layout.inputs.forEach((slot, k) =>
    numbers.set(inputs[k], layout.at.inputs / layout.number_bytes + slot.start * layout.lanes));
  instance.exports[layout.function](layout.at.inputs, layout.at.outputs, layout.at.scratch, 1);
  const bytes = new Uint8Array(memory.buffer, layout.at.outputs, layout.output_bytes);
  const outputs = btoa(Array.from(bytes, (x) => String.fromCharCode(x)).join(""));
  found.push({ imports: WebAssembly.Module.imports(module).length, outputs });
}
"""
SCRIPT = f"""
import fs from "node:fs";
const jobs = JSON.parse(fs.readFileSync(process.argv[2], "utf-8"));
{RUN}
console.log(JSON.stringify(found));
"""
CASES = [(name, "float64", False) for name in TAPES]  # 14, and 7 with vectors or in single precision
CASES += [(name, "float64", True) for name in ("elementary", "memory", "stopping_loop", "side_by_side")]
CASES += [("elementary", "float32", True), ("chance", "float32", True), ("elementary", "float32", False)]


def jobs_and_results():
    """Return the modules and inputs of all cases, as data for JSON, and the outputs that replay gives."""
    jobs, wanted = [], []
    for name, precision, wide in CASES:
        kernel = ap.build(tape(name), target="wasm", precision=precision, opt=0)
        code, layout = kernel.webassembly(kernel.lanes if wide else 1)
        arrays = [a[3:][: layout["lanes"]].astype(precision) for a in samples(name, 7)]
        columns = [a.reshape(layout["lanes"], -1).T.ravel().tolist() for a in arrays]
        jobs.append({"code": base64.b64encode(code).decode(), "layout": layout, "inputs": columns})
        wanted.append(flat(ap.build(tape(name), target="replay_unfused", precision=precision)(*arrays)))
    return jobs, wanted


def check(jobs, wanted, found):
    """Compare the outputs of an engine, bit for bit."""
    assert len(found) == len(CASES) >= 20
    for case, job, got, results in zip(CASES, jobs, found, wanted, strict=True):
        assert got["imports"] == 1
        numbers = np.frombuffer(base64.b64decode(got["outputs"]), case[1]).reshape(-1, job["layout"]["lanes"])
        for slot, w in zip(job["layout"]["outputs"], results, strict=True):
            mine = numbers[slot["start"] : slot["start"] + slot["size"]].T.reshape(w.shape)
            assert np.isfinite(w).all() and mine.tobytes() == w.tobytes(), (case, slot["name"])


def test_twenty_kernels_in_v8_have_the_bits_of_replay(node, tmp_path):
    jobs, wanted = jobs_and_results()
    (tmp_path / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    (tmp_path / "run.mjs").write_text(SCRIPT, encoding="utf-8")
    command = [node, str(tmp_path / "run.mjs"), str(tmp_path / "jobs.json")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stderr
    check(jobs, wanted, json.loads(run.stdout))
