// The motion of a live run. It grows with each frame that the server sends.

import type { Live } from "./messages";
import { type Appearance, type Ground, type Header, Motion, type Table, tableOf, type ObstacleLook } from "./motion";

const HEAD = 16; // bytes: sequence, run, time, pace

export class LiveMotion extends Motion {
  private count = 0;
  private room = 256;

  /** `more` names further tables of a frame, after poses and contacts of each figure, with their count of numbers. */
  constructor(readonly run: Live, figures: { name: string; appearance: Appearance }[], ground: Ground | null, obstacles: ObstacleLook[], private readonly more: readonly (readonly (readonly [name: string, width: number])[])[] = []) {
    const tables = new Map<string, Table>([["time", tableOf(new Float32Array(256), [256])]]);
    run.links.forEach((links, k) => tables.set(`poses/${k}`, tableOf(new Float32Array(256 * links * 7), [256, links, 7])));
    more.flat().forEach(([name, width]) => width && tables.set(name, tableOf(new Float32Array(256 * width), [256, width])));
    run.points.forEach((points, k) => points && tables.set(`contact/${k}`, tableOf(new Float32Array(256 * points * 6), [256, points, 6])));
    const header: Header = { version: 1, title: "live", figures, frames: 0, arrays: [], channels: [], events: [], ground, "things": obstacles, camera: null };
    super(header, tables);
    this.ids = [...run.figures];
  }

  override get frames(): number {
    return this.count;
  }

  /** Adds a live frame. Returns false if it belongs to another run or is older than the last frame. */
  take(buffer: ArrayBuffer): boolean {
    const view = new DataView(buffer);
    if (buffer.byteLength < HEAD || view.getUint32(4, true) !== this.run.run) return false;
    const time = view.getFloat32(8, true);
    if (this.count && time <= this.time[this.count - 1]!) return false;
    if (this.count === this.room) this.grow();
    const numbers = new Float32Array(buffer, HEAD), row = this.count;
    this.tables.get("time")!.data[row] = time;
    let at = 0;
    this.run.links.forEach((_, k) => {
      for (const name of [`poses/${k}`, `contact/${k}`, ...(this.more[k] ?? []).map(([own]) => own)]) {
        const table = this.tables.get(name);
        if (!table) continue;
        table.data.set(numbers.subarray(at, at + table.stride), row * table.stride);
        at += table.stride;
      }
    });
    this.count = row + 1;
    return true;
  }

  /** Removes the frames after a time. */
  cut(time: number): void {
    while (this.count > 1 && this.time[this.count - 1]! > time - 1e-6) this.count--;
  }

  private grow(): void {
    this.room *= 2;
    for (const [name, { data, shape }] of this.tables) {
      const more = new Float32Array(2 * data.length);
      more.set(data);
      this.tables.set(name, tableOf(more, [this.room, ...shape.slice(1)]));
    }
  }
}
