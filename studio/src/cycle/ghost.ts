// A figure that walks by the norm beside a walk, in step with it.

import { mixPoses, Motion, unpack } from "../motion";
import { SIDES } from "./norms";
import type { Strides } from "./strides";

const BESIDE = 0.9; // [m] to the left of the walk, for a figure of 1.7 m
const FITTED = 60; // number of times at which the ghost is put level with the walk

export class NormGhost extends Motion {
  private readonly cycle: Float32Array;
  private readonly rows: number;
  private readonly knots: { time: number; phase: number }[];
  private readonly heading: number;
  private readonly origin: [number, number] = [0, 0];

  constructor(private readonly strides: Strides, private readonly stride: number, packed: Parameters<typeof unpack>[0]) {
    super({ ...strides.motion.header, channels: [], events: [], ground: null, "things": [] }, new Map());
    this.cycle = unpack(packed) as Float32Array;
    this.rows = packed.shape[0]!;
    this.knots = knotsOf(strides);
    const poses = strides.motion.table("poses/0")!, last = (strides.motion.frames - 1) * poses.stride;
    this.heading = Math.atan2(poses.data[last + 1]! - poses.data[1]!, poses.data[last]! - poses.data[0]!);
    this.put();
  }

  override poses(_figure: number, t: number, out: Float32Array): Float32Array {
    const phase = this.phase(t), turns = Math.floor(phase), at = (phase - turns) * (this.rows - 1), row = Math.min(Math.floor(at), this.rows - 2), wide = this.cycle.length / this.rows;
    mixPoses(this.cycle, row * wide, this.cycle, (row + 1) * wide, at - row, wide / 7, out);
    const c = Math.cos(this.heading), s = Math.sin(this.heading), half = [Math.cos(this.heading / 2), Math.sin(this.heading / 2)] as const;
    for (let o = 0; o < wide; o += 7) {
      const x = out[o]! + this.stride * phase, y = out[o + 1]!, [w, a, b, d] = [out[o + 3]!, out[o + 4]!, out[o + 5]!, out[o + 6]!];
      out[o] = this.origin[0] + c * x - s * y;
      out[o + 1] = this.origin[1] + s * x + c * y;
      out[o + 3] = half[0] * w - half[1] * d;
      out[o + 4] = half[0] * a - half[1] * b;
      out[o + 5] = half[0] * b + half[1] * a;
      out[o + 6] = half[0] * d + half[1] * w;
    }
    return out;
  }

  /** Returns the phase [cycles] at a time: whole at strikes of the left foot, half at those of the right foot. */
  private phase(t: number): number {
    const { knots } = this;
    let k = 1;
    while (k < knots.length - 1 && t > knots[k]!.time) k++;
    const a = knots[k - 1]!, b = knots[k]!;
    return a.phase + ((t - a.time) / (b.time - a.time)) * (b.phase - a.phase);
  }

  /** Puts the ghost level with the walk, and beside it. */
  private put(): void {
    const { motion } = this.strides, own = new Float32Array(motion.table("poses/0")!.stride), mine = new Float32Array(own.length);
    let x = 0, y = 0;
    for (let k = 0; k < FITTED; k++) {
      const t = motion.start + (motion.span * (k + 0.5)) / FITTED;
      motion.poses(0, t, own);
      this.poses(0, t, mine);
      x += (own[0]! - mine[0]!) / FITTED;
      y += (own[1]! - mine[1]!) / FITTED;
    }
    const aside = (BESIDE * (motion.figures[0]!.appearance.size ?? 1.7)) / 1.7;
    this.origin[0] = x - aside * Math.sin(this.heading);
    this.origin[1] = y + aside * Math.cos(this.heading);
  }
}

function knotsOf(strides: Strides): { time: number; phase: number }[] {
  const strikes = SIDES.flatMap((side) => strides.legs[side].strikes.map((time) => ({ time, side }))).sort((a, b) => a.time - b.time);
  let phase = strikes[0]?.side === "r" ? 0.5 : 0;
  return strikes.map(({ time, side }, k) => {
    if (k) phase += side === strikes[k - 1]!.side ? 1 : 0.5;
    return { time, phase };
  });
}
