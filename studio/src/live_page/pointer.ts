// Forces of the pointer: a drag with a spring, and impulses. The equations are those of the studio (studio/live/interaction.py).

import type { PointerSettings } from "./description";

type Vector = [number, number, number];

/** Pose (x y z, w x y z) and velocities of a link, in the world. */
export interface LinkState {
  pose: Float64Array;
  angularVelocity: Vector;
  velocity: Vector;
}

export interface Drag {
  rollout: number;
  link: number;
  /** The dragged point, in the link frame. */
  point: Vector;
  /** The target and its estimated velocity, in the world. */
  target: Vector;
  velocity: Vector;
  /** Simulated time [s] of the last change of the target. */
  since: number;
}

export interface AppliedImpulse {
  rollout: number;
  link: number;
  point: Vector;
  impulse: Vector;
  /** The force acts until this simulated time [s]. */
  until: number;
}

const STANDARD_GRAVITY = 9.81; // [m/s²] defines the weight that bounds a drag

/** Returns the drag with another target. A low-pass filter estimates the velocity of the target. */
export function moved(drag: Drag, target: Vector, time: number, settings: PointerSettings): Drag {
  const span = time - drag.since;
  if (span <= 0) return { ...drag, target };
  const share = Math.min(span / settings.velocity_time, 1), bound = settings.max_pointer_speed;
  const velocity = target.map((x, i) => {
    const measured = Math.min(Math.max((x - drag.target[i]!) / span, -bound), bound);
    return drag.velocity[i]! + share * (measured - drag.velocity[i]!);
  }) as Vector;
  return { ...drag, target, velocity, since: time };
}

/** Adds the wrench (moment about the link origin, then force, in the link frame) of a drag to an array. */
export function addDrag(out: Float64Array, drag: Drag, link: LinkState, mass: number, settings: PointerSettings): void {
  const arm = rotated(link.pose, drag.point), x = add([link.pose[0]!, link.pose[1]!, link.pose[2]!], arm);
  const v = add(link.velocity, cross(link.angularVelocity, arm)), offset = subtract(drag.target, x);
  const ratio = Math.min(Math.max(norm(offset) / settings.soft_distance, settings.min_stiffness_ratio), 1);
  const stiffness = settings.stiffness * ratio * mass, damping = settings.damping_ratio * Math.sqrt(stiffness * mass);
  const force = offset.map((d, i) => stiffness * d - damping * (v[i]! - drag.velocity[i]!)) as Vector;
  const size = norm(force), bound = settings.max_force * STANDARD_GRAVITY * mass;
  addForce(out, drag.link, link, drag.point, size <= bound ? force : scaled(force, bound / size));
}

/** Adds the wrench of an impulse to an array. */
export function addImpulse(out: Float64Array, one: AppliedImpulse, link: LinkState, settings: PointerSettings): void {
  addForce(out, one.link, link, one.point, scaled(one.impulse, 1 / settings.impulse_duration));
}

function addForce(out: Float64Array, link: number, state: LinkState, point: Vector, force: Vector): void {
  const own = rotatedBack(state.pose, force), moment = cross(point, own), at = 6 * link;
  for (let i = 0; i < 3; i++) {
    out[at + i]! += moment[i]!;
    out[at + 3 + i]! += own[i]!;
  }
}

const add = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a: Vector): number => Math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);

/** Rotates a vector by the quaternion of a pose: a + 2 v × (v × a + w a). */
function rotated(pose: Float64Array, a: Vector, sign = 1): Vector {
  const w = pose[3]!, v: Vector = [sign * pose[4]!, sign * pose[5]!, sign * pose[6]!];
  return add(a, scaled(cross(v, add(cross(v, a), scaled(a, w))), 2));
}

const rotatedBack = (pose: Float64Array, a: Vector): Vector => rotated(pose, a, -1);
