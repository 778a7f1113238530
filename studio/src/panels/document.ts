// The plain data of a figure.toml, which the server sends with a figure, and functions that read it.

import type { DofView, FigureView } from "../messages";

export type Vector = [number, number, number];

export interface ShapeTable {
  kind: string;
  size: number[];
  origin?: number[];
  [key: string]: unknown;
}

export interface LinkTable {
  name: string;
  mass?: number;
  centre?: number[];
  tensor?: number[][];
  shape?: ShapeTable[];
}

export interface StopTable {
  type: "linear" | "exponential" | "power";
  k?: number;
  c?: number;
  n?: number;
  zone?: number;
  gate?: "direction" | "smooth" | "none";
}

export interface JointTable {
  name: string;
  type: string;
  parent?: string;
  child: string;
  origin?: number[];
  rotation?: number[][];
  quaternion?: number[];
  axis?: number[];
  axes?: number[][];
  order?: string;
  pitch?: number;
  part?: { name?: string; type: string }[];
  stop?: StopTable;
  [key: string]: unknown;
}

export interface Document {
  name: string;
  root: string;
  link: LinkTable[];
  joint: JointTable[];
  marker: { name: string; link: string; point: number[] }[];
}

export function documentOf(figure: FigureView): Document {
  return figure.document as unknown as Document;
}

/** Returns the joint that connects a link to its parent. */
export function jointAbove(document: Document, link: string): JointTable | undefined {
  return document.joint.find(({ child }) => child === link);
}

export function childrenOf(document: Document, link: string): string[] {
  return document.joint.filter(({ parent }) => parent === link).map(({ child }) => child);
}

/** Returns all links in the order of the tree, with their depth. */
export function treeOf(document: Document): { name: string; depth: number; joint: JointTable }[] {
  const found: { name: string; depth: number; joint: JointTable }[] = [];
  const visit = (joint: JointTable, depth: number): void => {
    found.push({ name: joint.child, depth, joint });
    for (const below of document.joint) if (below.parent === joint.child) visit(below, depth + 1);
  };
  for (const joint of document.joint) if (!joint.parent) visit(joint, 0);
  return found;
}

/** Returns whether `below` is `link` or a descendant of it. */
export function isInSubtree(document: Document, below: string, link: string): boolean {
  for (let at: string | undefined = below; at; at = jointAbove(document, at)?.parent) if (at === link) return true;
  return false;
}

export function dofsOf(figure: FigureView, joint: string): DofView[] {
  return figure.dofs.filter((dof) => dof.joint === joint);
}

/** Returns length, height and width [m] of the first box of a link, or null if it has no box. */
export function boxOf(link: LinkTable): Vector | null {
  const box = link.shape?.find(({ kind }) => kind === "box");
  return box ? (box.size.slice(0, 3) as Vector) : null;
}

/** Returns whether a joint has three rotations, so that their order can be chosen. */
export function hasOrder(joint: JointTable): boolean {
  return joint.type === "euler" || joint.type === "ball" || joint.type === "exponential";
}

/** Returns the x-y-z Euler angles [rad] of a rotation matrix, given by rows. */
export function anglesOf(rotation: number[][] | undefined): Vector {
  if (!rotation) return [0, 0, 0];
  const [a, b, c] = rotation as [number[], number[], number[]];
  const y = Math.asin(Math.min(Math.max(a[2]!, -1), 1));
  if (Math.abs(a[2]!) > 1 - 1e-9) return [Math.atan2(c[1]!, b[1]!), y, 0];
  return [Math.atan2(-b[2]!, c[2]!), y, Math.atan2(-a[1]!, a[0]!)];
}

/** Returns the quaternion w x y z of x-y-z Euler angles [rad]. */
export function quaternionOf([x, y, z]: Vector): [number, number, number, number] {
  const [cx, sx, cy, sy, cz, sz] = [Math.cos(x / 2), Math.sin(x / 2), Math.cos(y / 2), Math.sin(y / 2), Math.cos(z / 2), Math.sin(z / 2)] as const;
  return [cx * cy * cz - sx * sy * sz, sx * cy * cz + cx * sy * sz, cx * sy * cz - sx * cy * sz, cx * cy * sz + sx * sy * cz];
}

/** Returns the rotation matrix, by rows, of a quaternion w x y z. */
export function rotationOf([w, x, y, z]: readonly [number, number, number, number]): number[][] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}
