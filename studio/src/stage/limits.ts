// Joint limits: a fan for the range of a rotation about one axis, a cone of directions for a ball joint. They are drawn in the joint's frame.

import * as THREE from "three";
import type { Appearance, LimitLook } from "../motion";
import { colourOf } from "./solids";

const STEPS = 40;

/** Creates an object for each joint limit, of one link or of all links. The caller places it in the parent link by `joint.frame`. */
export function limitMeshes(look: Appearance, only: number | null, colour: string): { object: THREE.Object3D; link: number }[] {
  const size = 0.11 * (look.size ?? 1.7);
  return look.limits
    .filter((limit) => only === null || limit.link === only)
    .map((limit) => ({ object: limitObject(limit, outward(look, limit.link), size, colour), link: limit.link }))
    .filter((made): made is { object: THREE.Object3D; link: number } => made.object !== null);
}

function limitObject(limit: LimitLook, limb: THREE.Vector3, size: number, colour: string): THREE.Object3D | null {
  const axis = new THREE.Vector3().fromArray(limit.axis ?? [0, 0, 1]).normalize();
  if (limit.kind === "range" && !limit.length) return surface(fan(axis, limb, limit.lower ?? -Math.PI, limit.upper ?? Math.PI, 0.7 * size), colour, 0.3);
  if (limit.kind === "cone") return surface(ring(axis, limit.angle ?? 1, 1.35 * size), colour, 0.16);
  if (limit.kind === "swing" && limit.curve) return surface(limit.curve.map((p) => new THREE.Vector3().fromArray(p).normalize().multiplyScalar(1.35 * size)), colour, 0.16);
  return null;
}

/** Returns the direction from the joint of a link to its solids, in the neutral pose. */
function outward(look: Appearance, link: number): THREE.Vector3 {
  const sum = new THREE.Vector3();
  for (const { link: own, pose } of look.solids) if (own === link) sum.add(new THREE.Vector3(pose[12], pose[13], pose[14]));
  return sum.lengthSq() > 1e-8 ? sum.normalize() : new THREE.Vector3(0, 0, -1);
}

/** Returns points of the arc that a limb can reach by rotation about an axis. */
function fan(axis: THREE.Vector3, limb: THREE.Vector3, lower: number, upper: number, radius: number): THREE.Vector3[] {
  const zero = limb.clone();
  zero.addScaledVector(axis, -zero.dot(axis));
  if (zero.lengthSq() < 1e-3) zero.set(1, 0, 0).addScaledVector(axis, -axis.x);
  zero.normalize().multiplyScalar(radius);
  return Array.from({ length: STEPS + 1 }, (_, i) => zero.clone().applyAxisAngle(axis, lower + ((upper - lower) * i) / STEPS));
}

function ring(axis: THREE.Vector3, angle: number, radius: number): THREE.Vector3[] {
  const side = new THREE.Vector3(1, 0, 0).cross(axis);
  if (side.lengthSq() < 1e-3) side.set(0, 1, 0).cross(axis);
  const edge = axis.clone().applyAxisAngle(side.normalize(), angle).multiplyScalar(radius);
  return Array.from({ length: STEPS + 1 }, (_, i) => edge.clone().applyAxisAngle(axis, (2 * Math.PI * i) / STEPS));
}

/** Creates triangles from the joint to a curve, and the curve itself. */
function surface(curve: THREE.Vector3[], colour: string, opacity: number): THREE.Object3D {
  const closed = curve.length > 2 && curve[0]!.distanceTo(curve[curve.length - 1]!) < 1e-3;
  const points = [new THREE.Vector3(), ...curve];
  const geometry = new THREE.BufferGeometry().setFromPoints(points), corners: number[] = [];
  for (let i = 1; i < curve.length; i++) corners.push(0, i, i + 1);
  geometry.setIndex(corners);
  geometry.computeVertexNormals();
  const tint = colourOf(null, colour);
  const sheet = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: tint, transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false }));
  const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([...curve, ...(curve.length && !closed && opacity < 0.2 ? [curve[0]!] : [])]), new THREE.LineBasicMaterial({ color: tint, transparent: true, opacity: 0.9 }));
  const group = new THREE.Group();
  group.matrixAutoUpdate = false;
  group.add(sheet, line);
  group.renderOrder = 3;
  return group;
}
