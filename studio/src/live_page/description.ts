// The content of a live page ("APL1"): the modules, the first state and the controls. Python writes it (formats/pages/live_page.py).

import type { Layout } from "./kernel";

export interface Controls {
  go: number | null;
  speed: number;
  heading: number;
  speeds: [number, number];
  styles: string[];
  style_blend: number;
  slopes: number;
  falls: boolean;
}

/** The settings of the pointer's forces; the Python class InteractionSettings describes each. */
export interface PointerSettings {
  stiffness: number;
  soft_distance: number;
  min_stiffness_ratio: number;
  damping_ratio: number;
  max_force: number;
  impulse_duration: number;
  velocity_time: number;
  max_pointer_speed: number;
}

export interface Description {
  version: number;
  batch: number;
  dt: number;
  links: string[];
  mass: number;
  /** Indices of links and contacts of each figure, the link of each contact, and [name, unit, index] of each degree of freedom. */
  figures: { name: string; links: number[]; contacts: number[]; contact_links: string[]; dofs: [string, string, number][] }[];
  /** Position of the first number of each mean channel in the array "means". */
  means: Record<string, number>;
  /** Position and count of the numbers of each slot in the array "parameters". */
  slots: Record<string, [number, number]>;
  controls: Controls | null;
  pointer: PointerSettings;
  layouts: { step: Layout; view: Layout };
  parts: Record<string, [number, number]>;
}

/** Returns the feet of a figure, or all links with contacts if it has none, with the indices of their contacts. The names are those of recorded motions. */
export function feetOf({ contact_links: links }: Description["figures"][number]): { name: string; contacts: number[] }[] {
  const found = new Map<string, number[]>();
  links.forEach((link, k) => {
    const plain = link.split("/").pop()!, name = plain.replace(/^([lr])_(foot|toes)$/, (_, side) => `${side === "l" ? "left" : "right"} foot`);
    found.set(name, [...(found.get(name) ?? []), k]);
  });
  const all = [...found].map(([name, contacts]) => ({ name, contacts })), feet = all.filter(({ name }) => name.endsWith(" foot"));
  return feet.length ? feet : all;
}

export interface LiveContent {
  description: Description;
  code: { step: Uint8Array<ArrayBuffer>; view: Uint8Array<ArrayBuffer> };
  /** Arrays (batch × n) of the first state ("state/q") and of the inputs ("input/settings"), and one row per style. */
  arrays: Map<string, Float64Array>;
}

export function readLive(buffer: ArrayBuffer): LiveContent {
  const magic = String.fromCharCode(...new Uint8Array(buffer, 0, Math.min(4, buffer.byteLength)));
  if (magic !== "APL1") throw new Error("The simulation of this page cannot be read: it does not begin with APL1.");
  const length = new DataView(buffer).getUint32(4, true), start = 8 + length;
  const description = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))) as Description;
  if (description.version !== 1) throw new Error(`The simulation of this page has format version ${description.version}; this page reads version 1.`);
  const part = (name: string) => buffer.slice(start + description.parts[name]![0], start + description.parts[name]![0] + description.parts[name]![1]);
  const arrays = new Map(Object.keys(description.parts).filter((name) => name.includes("/")).map((name) => [name, new Float64Array(part(name))]));
  return { description, code: { step: new Uint8Array(part("step")), view: new Uint8Array(part("view")) }, arrays };
}
