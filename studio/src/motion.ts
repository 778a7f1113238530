// A motion in the format that the server sends ("APM1"): a JSON header, then little-endian arrays, used without copying.

import { decodeCompact } from "./compact";
import type { PageNorms } from "./cycle/norms";

/** An array in JSON: little-endian numbers in row-major order, encoded in base64. Type "i4": rounded to steps (compact.ts). */
export interface Packed {
  type: "f4" | "u1" | "u2" | "u4" | "i4";
  shape: number[];
  data: string;
  step?: number[];
  order?: number;
  /** Whether the decoded numbers are whole, such as indices. */
  whole?: boolean;
}

export interface JointLook {
  name: string;
  kind: string;
  dofs: string[];
  /** The axis of each degree of freedom, in the joint's frame. */
  axes?: number[][] | null;
  lengths?: boolean[];
  lower?: (number | null)[];
  upper?: (number | null)[];
  /** The joint's frame in the parent link: a 4 × 4 matrix in column-major order. */
  frame?: number[];
}

export interface LinkLook {
  name: string;
  parent: number;
  joint: JointLook;
  mass: number;
}

/** A solid of a link. `size` of a ball: three semi-axes; of a box: three sides; of a cylinder or capsule: radius, and length along z without the ends. */
export interface SolidLook {
  link: number;
  kind: "ball" | "box" | "cylinder" | "capsule" | "mesh";
  size: number[];
  pose: number[];
  colour: number[];
  stick?: boolean;
  mesh?: { positions: Packed; normals?: Packed | null; indices?: Packed | null };
}

/** The triangle mesh of a body. `bind` contains the poses of the links (7 or 16 numbers each) for which it was made. */
export interface SkinLook {
  positions: Packed;
  /** Lowest corner and size [m] of the box in 65535ths of which the positions are given. */
  box: [low: number[], size: number[]];
  normals: Packed;
  indices: Packed;
  joints: Packed;
  weights: Packed;
  colours?: Packed | null;
  bind?: Packed | number[][] | null;
}

/** A joint limit, in the joint's frame: the range of one rotation, a cone, or a closed curve of directions. */
export interface LimitLook {
  link: number;
  joint: string;
  kind: "range" | "cone" | "swing" | "box" | "other";
  dof?: string;
  axis?: number[];
  lower?: number | null;
  upper?: number | null;
  length?: boolean;
  angle?: number;
  curve?: number[][];
}

export interface MarkerLook {
  name: string;
  link: number;
  point: number[];
}

export type StickEnd = [link: number, x: number, y: number, z: number];

export interface Appearance {
  links: LinkLook[];
  solids: SolidLook[];
  sticks: [StickEnd, StickEnd][];
  skin: SkinLook | null;
  /** Whether the skin is that of a person. */
  person?: boolean;
  limits: LimitLook[];
  markers: MarkerLook[];
  size?: number;
}

export interface Channel {
  name: string;
  group: string;
  unit: string;
  array: string;
  column: number;
  figure?: number;
}

export interface MotionEvent {
  time: number;
  name: string;
  side?: string | null;
  figure?: number;
}

export interface ObstacleLook {
  name?: string;
  kind: string;
  size: number[];
  pose?: number[] | null;
  poses?: string | null;
  colour?: number[] | null;
}

export interface Ground {
  kind: "plane" | "heights";
  point?: number[];
  normal?: number[];
  heights?: Packed;
  origin?: number[];
  spacing?: number[];
}

export interface CameraKeyLook {
  time: number;
  camera: { eye: number[]; target: number[]; mode?: string; field?: number };
}

export interface Header {
  version: number;
  title: string;
  caption?: string;
  figures: { name: string; appearance: Appearance }[];
  frames: number;
  arrays: { name: string; type: "f4" | "i4"; shape: number[]; offset: number; step?: number[]; order?: number }[];
  channels: Channel[];
  events: MotionEvent[];
  ground: Ground | null;
  "things": ObstacleLook[];
  camera: { azimuth?: number; elevation?: number; follow?: boolean; keys?: CameraKeyLook[] } | null;
  speed?: number;
  /** Whether force arrows are shown initially. */
  forces?: boolean;
  gravity?: number[];
  /** Norms of walking that are shown beside the motion. */
  gait?: PageNorms | null;
  /** The project that wrote the page; its address is "" if it has none. */
  project?: { name: string; version: string; url: string };
}

export interface Table {
  data: Float32Array;
  shape: number[];
  /** The count of numbers in one frame. */
  stride: number;
}

const ZERO = new Float32Array([0]);
const TYPES = { f4: Float32Array, u1: Uint8Array, u2: Uint16Array, u4: Uint32Array } as const;

export class Motion {
  /** The number of each figure in the project; in a player 0, 1, 2 … */
  ids: number[];

  constructor(readonly header: Header, protected readonly tables: Map<string, Table>) {
    this.ids = header.figures.map((_, k) => k);
  }

  static read(buffer: ArrayBuffer): Motion {
    const magic = String.fromCharCode(...new Uint8Array(buffer, 0, Math.min(4, buffer.byteLength)));
    if (magic !== "APM1") throw new Error("This file is not a motion: it does not begin with APM1.");
    const length = new DataView(buffer).getUint32(4, true), tables = new Map<string, Table>();
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))) as Header;
    if (header.version !== 1) throw new Error(`This motion has format version ${header.version}, but this page can read only version 1. Export it again.`);
    for (const { name, type, shape, offset, step, order } of header.arrays) {
      const count = shape.reduce((a, b) => a * b, 1), start = 8 + length + offset;
      if (type === "i4") tables.set(name, tableOf(decodeCompact(new Uint8Array(buffer, start, 4 * count), shape, step!, order!), shape));
      else tables.set(name, tableOf(start % 4 ? new Float32Array(buffer.slice(start, start + 4 * count)) : new Float32Array(buffer, start, count), shape));
    }
    return new Motion(header, tables);
  }

  /** Creates a motion of one frame: the figures in their present pose. */
  static still(title: string, figures: { name: string; appearance: Appearance; poses: number[][] }[], ground: Ground | null, obstacles: ObstacleLook[]): Motion {
    const tables = new Map([["time", tableOf(new Float32Array([0]), [1])]]);
    figures.forEach(({ poses }, k) => tables.set(`poses/${k}`, tableOf(Float32Array.from(poses.flat()), [1, poses.length, 7])));
    const header: Header = { version: 1, title, figures, frames: 1, arrays: [], channels: [], events: [], ground, "things": obstacles, camera: null };
    return new Motion(header, tables);
  }

  get time(): Float32Array {
    return this.tables.get("time")?.data ?? ZERO;
  }

  get frames(): number {
    return this.time.length;
  }

  get start(): number {
    return this.time[0] ?? 0;
  }

  get end(): number {
    return this.time[this.frames - 1] ?? 0;
  }

  get span(): number {
    return this.end - this.start;
  }

  get figures(): { name: string; appearance: Appearance }[] {
    return this.header.figures;
  }

  table(name: string): Table | null {
    return this.tables.get(name) ?? null;
  }

  /** Returns the frame at or before a time, and the fraction of the interval to the next frame (0 … 1). */
  place(t: number): [number, number] {
    const time = this.time, last = this.frames - 1;
    if (last < 1 || t <= time[0]!) return [0, 0];
    if (t >= time[last]!) return [last, 0];
    let low = 0, high = last;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (time[middle]! <= t) low = middle;
      else high = middle;
    }
    return [low, (t - time[low]!) / Math.max(time[high]! - time[low]!, 1e-12)];
  }

  /** Returns the frame nearest to a time. */
  nearest(t: number): number {
    const [k, s] = this.place(t);
    return s > 0.5 ? k + 1 : k;
  }

  /** Returns the value of a channel at every frame. */
  column(channel: Channel): Float64Array {
    const table = this.table(channel.array), values = new Float64Array(this.frames).fill(NaN);
    if (table) for (let k = 0; k < this.frames; k++) values[k] = table.data[k * table.stride + channel.column] ?? NaN;
    return values;
  }

  /** Interpolates the numbers of a table linearly at a time; `out` has the length of the table's stride. */
  sample(table: Table, t: number, out: Float32Array): Float32Array {
    const [k, s] = this.place(t), a = k * table.stride, b = Math.min(k + 1, this.frames - 1) * table.stride;
    for (let i = 0; i < table.stride; i++) out[i] = (1 - s) * table.data[a + i]! + s * table.data[b + i]!;
    return out;
  }

  /** Interpolates the poses of a figure's links at a time, 7 numbers per link: positions linearly, rotations along the shorter arc. */
  poses(figure: number, t: number, out: Float32Array): Float32Array {
    const table = this.table(`poses/${figure}`);
    if (!table) return out;
    const [k, s] = this.place(t), data = table.data;
    const a = k * table.stride, b = Math.min(k + 1, this.frames - 1) * table.stride;
    return mixPoses(data, a, data, b, s, table.stride / 7, out);
  }
}

export function tableOf(data: Float32Array, shape: number[]): Table {
  return { data, shape, stride: shape.slice(1).reduce((a, b) => a * b, 1) };
}

/** Interpolates between two arrays of link poses (x y z, w x y z); `s` = 0 gives the poses at `a`, 1 those at `b`. */
export function mixPoses(A: Float32Array, a: number, B: Float32Array, b: number, s: number, links: number, out: Float32Array): Float32Array {
  for (let i = 0; i < links; i++, a += 7, b += 7) {
    const o = 7 * i;
    for (let j = 0; j < 3; j++) out[o + j] = (1 - s) * A[a + j]! + s * B[b + j]!;
    let near = 0, size = 0;
    for (let j = 3; j < 7; j++) near += A[a + j]! * B[b + j]!;
    const sign = near < 0 ? -s : s;
    for (let j = 3; j < 7; j++) {
      const c = (1 - s) * A[a + j]! + sign * B[b + j]!;
      out[o + j] = c;
      size += c * c;
    }
    size = Math.sqrt(size) || 1;
    for (let j = 3; j < 7; j++) out[o + j] = out[o + j]! / size;
  }
  return out;
}

export function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64.trim()), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

/** Decompresses the content of a page, if it is compressed. */
export async function inflated(buffer: ArrayBuffer): Promise<ArrayBuffer> {
  if (new Uint8Array(buffer)[0] !== 0x78) return buffer; // the first byte of zlib
  return new Response(new Blob([buffer]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

/** Decodes a packed array. */
export function unpack(given: Packed): Float32Array | Uint8Array | Uint16Array | Uint32Array {
  if (given.type === "i4") {
    const numbers = decodeCompact(new Uint8Array(bytesOf(given.data)), given.shape, given.step!, given.order!);
    return given.whole ? Uint32Array.from(numbers) : numbers;
  }
  return new TYPES[given.type](bytesOf(given.data)) as Float32Array | Uint8Array | Uint16Array | Uint32Array;
}
