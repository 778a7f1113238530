// A kernel compiled to WebAssembly, with its arrays in the memory of the module. The layout is that of the Python class
// Wasm (compiler/targets/wasm.py): blocks of `lanes` rollouts; number k of lane j is at position k · lanes + j.

export interface Slot {
  name: string;
  shape: number[];
  start: number;
  size: number;
}

export interface Layout {
  precision: "float64" | "float32";
  number_bytes: number;
  lanes: number;
  inputs: Slot[];
  outputs: Slot[];
  input_bytes: number;
  output_bytes: number;
  scratch_bytes: number;
  free: number;
}

const PAGE = 65536, ALIGNMENT = 128;
const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

export class Kernel {
  private readonly numbers: Float64Array;
  private readonly run_: (inputs: number, outputs: number, scratch: number, blocks: number) => void;
  private readonly blocks: number;
  private readonly at: { inputs: number; outputs: number; scratch: number };
  private readonly slots: { inputs: Map<string, Slot>; outputs: Map<string, Slot> };

  constructor(code: Uint8Array<ArrayBuffer>, private readonly layout: Layout, batch: number) {
    this.blocks = Math.ceil(batch / layout.lanes);
    const outputs = aligned(layout.free) + aligned(layout.input_bytes * this.blocks), scratch = outputs + aligned(layout.output_bytes * this.blocks);
    this.at = { inputs: aligned(layout.free), outputs, scratch };
    const memory = new WebAssembly.Memory({ initial: Math.ceil((scratch + layout.scratch_bytes) / PAGE) });
    const instance = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } });
    this.run_ = instance.exports["run"] as typeof this.run_;
    this.numbers = new Float64Array(memory.buffer);
    const bySide = (side: "inputs" | "outputs") => new Map(layout[side].map((slot) => [slot.name, slot]));
    this.slots = { inputs: bySide("inputs"), outputs: bySide("outputs") };
  }

  run(): void {
    this.run_(this.at.inputs, this.at.outputs, this.at.scratch, this.blocks);
  }

  has(name: string): boolean {
    return this.slots.inputs.has(name);
  }

  /** Writes an input of one rollout. */
  set(name: string, rollout: number, values: ArrayLike<number>): void {
    const { first, size } = this.place("inputs", name, rollout), { lanes } = this.layout;
    for (let k = 0; k < size; k++) this.numbers[first + k * lanes] = values[k]!;
  }

  /** Reads an output, or with side "inputs" an input, of one rollout. */
  get(name: string, rollout: number, side: "inputs" | "outputs" = "outputs"): Float64Array {
    const { first, size } = this.place(side, name, rollout), { lanes } = this.layout, found = new Float64Array(size);
    for (let k = 0; k < size; k++) found[k] = this.numbers[first + k * lanes]!;
    return found;
  }

  /** Copies outputs to inputs, for all rollouts. */
  feedBack(names: [input: string, output: string][]): void {
    const { lanes, input_bytes, output_bytes } = this.layout;
    for (let block = 0; block < this.blocks; block++)
      for (const [input, output] of names) {
        const from = this.slots.outputs.get(output)!, to = this.slots.inputs.get(input)!;
        const a = (this.at.outputs + block * output_bytes) / 8 + from.start * lanes, b = (this.at.inputs + block * input_bytes) / 8 + to.start * lanes;
        this.numbers.copyWithin(b, a, a + from.size * lanes);
      }
  }

  private place(side: "inputs" | "outputs", name: string, rollout: number): { first: number; size: number } {
    const slot = this.slots[side].get(name);
    if (!slot) throw new Error(`The kernel has no array '${name}'.`);
    const { lanes } = this.layout, bytes = side === "inputs" ? this.layout.input_bytes : this.layout.output_bytes;
    const first = (this.at[side] + Math.floor(rollout / lanes) * bytes) / 8 + slot.start * lanes + (rollout % lanes);
    return { first, size: slot.size };
  }
}
