// Decodes arrays that were rounded to steps, to save bytes. The encoding is described in formats/pages/compact.py.

/** Decodes rows of numbers. `step` has one number for all columns, or one per number of the last axis. */
export function decodeCompact(bytes: Uint8Array, shape: number[], step: number[], order: number): Float32Array {
  const count = shape.reduce((a, b) => a * b, 1), rows = shape[0] ?? 1, columns = rows ? count / rows : 0, out = new Float32Array(count);
  for (let column = 0; column < columns; column++) {
    const size = step[column % step.length]!;
    let value = 0, slope = 0;
    for (let row = 0, at = column * rows; row < rows; row++, at++) {
      const z = bytes[at]! | (bytes[at + count]! << 8) | (bytes[at + 2 * count]! << 16) | (bytes[at + 3 * count]! << 24);
      const d = (z >>> 1) ^ -(z & 1);
      slope = order === 2 ? slope + d : d;
      value = order === 0 ? d : value + slope;
      out[row * columns + column] = value * size;
    }
  }
  return out;
}
