// A walk cut into strides: joint angles and ground forces of both legs, and the strikes of the feet.

import type { Motion } from "../motion";
import { legAngles } from "./angles";
import { type PageNorms, type Side, SIDES } from "./norms";

const LOAD = 20; // [N] vertical force of a foot on the ground
const MIN_GAP = 0.05, MIN_CONTACT = 0.1; // [s] shorter gaps and contacts are bounces
const STRIDE = [0.4, 2.5] as const; // [s] shortest and longest stride

export interface Stride {
  start: number;
  end: number;
  /** Whether the start or end is estimated, because the motion does not contain it. */
  open: boolean;
}

/** Rows of numbers, one per frame: angles [°], force on the foot in the world [N]. */
interface Leg {
  angles: [number, number, number][];
  force: [number, number, number][];
  strikes: number[];
}

export class Strides {
  readonly legs: Record<Side, Leg> = { l: { angles: [], force: [], strikes: [] }, r: { angles: [], force: [], strikes: [] } };
  private done = 0;
  private last = NaN;

  constructor(readonly motion: Motion, readonly norms: PageNorms) {
    this.update();
  }

  /** Reads the frames that a live run has added. Returns whether there were any. */
  update(): boolean {
    const { motion, norms } = this, n = motion.frames;
    if (n === this.done && motion.time[n - 1] === this.last) return false;
    if (n < this.done || motion.time[this.done - 1] !== this.last) this.forget();
    const poses = motion.table("poses/0"), ground = motion.table("ground/0");
    const columns = SIDES.map((side) => motion.header.channels.find(({ name, group }) => group === "ground" && name === `${side === "l" ? "left" : "right"} foot, forwards`)?.column ?? -1);
    if (!poses || n < 1) return false;
    for (let i = this.done; i < n; i++)
      SIDES.forEach((side, s) => {
        this.legs[side].angles.push(legAngles(norms, side, poses.data, i * poses.stride));
        const at = ground && columns[s]! >= 0 ? i * ground.stride + columns[s]! : -1;
        this.legs[side].force.push(at < 0 ? [NaN, NaN, NaN] : [ground!.data[at]!, ground!.data[at + 1]!, ground!.data[at + 2]!]);
      });
    this.done = n;
    this.last = motion.time[n - 1]!;
    for (const side of SIDES) {
      const recorded = motion.header.events.filter((event) => event.side === side && /strike/.test(event.name)).map(({ time }) => time);
      this.legs[side].strikes = recorded.length ? recorded : this.byLoad(side);
    }
    return true;
  }

  /** Returns the complete strides of a leg, and with `open` also the parts of strides at the start and the end. */
  strides(side: Side, open = false): Stride[] {
    const { strikes } = this.legs[side], found: Stride[] = [];
    for (let k = 1; k < strikes.length; k++) {
      const start = strikes[k - 1]!, end = strikes[k]!;
      if (end - start >= STRIDE[0] && end - start <= STRIDE[1]) found.push({ start, end, open: false });
    }
    if (!open || !strikes.length) return found;
    const first = strikes[0]!, last = strikes[strikes.length - 1]!, before = found[0] ?? this.other(side), after = found[found.length - 1] ?? this.other(side);
    const times = (own: Stride | undefined) => (own ? own.end - own.start : 1.05);
    return [{ start: first - times(before), end: first, open: true }, ...found, { start: last, end: last + times(after), open: true }];
  }

  /** Returns the stride of a leg at a time [s], and the phase in it (0 … 1). */
  at(side: Side, t: number): { stride: Stride; phase: number } | null {
    const all = this.strides(side, true);
    for (let k = all.length - 1; k >= 0; k--) if (t >= all[k]!.start) return { stride: all[k]!, phase: Math.min((t - all[k]!.start) / (all[k]!.end - all[k]!.start), 1) };
    return null;
  }

  /** Returns phases and values of a curve of the norm between two times of a stride, in the unit of the norm. */
  curve(side: Side, name: string, stride: Stride, until = stride.end): [phase: number, value: number][] {
    const { time } = this.motion, points: [number, number][] = [], heading = name === "grf_forward" ? this.heading(stride) : 0;
    let i = this.motion.place(Math.max(stride.start, this.motion.start))[0];
    const value = (k: number) => this.value(side, name, k, heading);
    const push = (t: number, x: number) => points.push([(t - stride.start) / (stride.end - stride.start), x]);
    const between = (t: number) => {
      const [k, s] = this.motion.place(t), next = Math.min(k + 1, this.done - 1);
      push(t, (1 - s) * value(k) + s * value(next));
    };
    const from = Math.max(stride.start, this.motion.start), to = Math.min(until, this.motion.end);
    if (!(to > from) || !this.done) return points;
    between(from);
    for (i += 1; i < this.done && time[i]! < to; i++) if (time[i]! > from) push(time[i]!, value(i));
    between(to);
    return points;
  }

  private value(side: Side, name: string, i: number, heading: number): number {
    const { angles, force } = this.legs[side], f = force[i]!;
    if (name === "grf_vertical") return f[2] / this.norms.weight;
    if (name === "grf_forward") return (f[0] * Math.cos(heading) + f[1] * Math.sin(heading)) / this.norms.weight;
    return angles[i]![["hip_flexion", "knee_flexion", "ankle_dorsiflexion"].indexOf(name)]!;
  }

  /** Returns the direction [rad] in which the pelvis travels during a stride. */
  private heading({ start, end }: Stride): number {
    const poses = this.motion.table("poses/0")!, o = 7 * this.norms.pelvis.link;
    const [a, b] = [start, end].map((t) => this.motion.nearest(t) * poses.stride + o) as [number, number];
    const x = poses.data[b]! - poses.data[a]!, y = poses.data[b + 1]! - poses.data[a + 1]!;
    return Math.hypot(x, y) > 0.05 ? Math.atan2(y, x) : 0;
  }

  private other(side: Side): Stride | undefined {
    const { strikes } = this.legs[side === "l" ? "r" : "l"];
    return strikes.length > 1 ? { start: strikes[0]!, end: strikes[1]!, open: false } : undefined;
  }

  /** Finds the strikes of a foot by its load. */
  private byLoad(side: Side): number[] {
    const { time } = this.motion, { force } = this.legs[side], strikes: number[] = [];
    let on = false, since = -Infinity, off = this.motion.start; // the first frame of a live run has no forces yet
    for (let i = 0; i < this.done; i++) {
      const loaded = force[i]![2] > LOAD, t = time[i]!;
      if (loaded && !on) {
        if (t - off > MIN_GAP) strikes.push(t);
        since = t;
      } else if (!loaded && on) {
        if (t - since < MIN_CONTACT && strikes[strikes.length - 1] === since) strikes.pop();
        off = t;
      }
      on = loaded;
    }
    return strikes;
  }

  private forget(): void {
    for (const side of SIDES) this.legs[side] = { angles: [], force: [], strikes: [] };
    this.done = 0;
  }
}
