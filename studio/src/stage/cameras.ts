// Camera modes: orbit (free), follow (moves with the figure), fixed (stays in place and turns to the figure), keys (follows the camera keys).

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { CameraMode } from "../app";

export interface View {
  eye: [number, number, number];
  target: [number, number, number];
  field: number;
}

export type ViewName = "three-quarter" | "front" | "back" | "left" | "right" | "top";

/** Azimuth and elevation [degrees] of named views; x is forward, y is left. */
export const VIEWS: Record<ViewName, [number, number]> = { "three-quarter": [-42, 12], front: [0, 4], back: [180, 6], left: [90, 4], right: [-90, 4], top: [-90, 89.9] };

const FIELD = 32; // [degrees] vertical field of view
const RAIL = 0.25; // fraction of the figure's vertical movement that the camera follows
const AWAY = 0.4; // [m] largest difference between the heights of the figure and of the camera's target
const CLIMB = 1.2; // [s] time in which the camera reaches the height of a figure that climbs or descends

export class Cameras {
  readonly camera = new THREE.PerspectiveCamera(FIELD, 1, 0.02, 600);
  readonly controls: OrbitControls;
  mode: CameraMode = "follow";
  private readonly last = new THREE.Vector3();
  private level = 0;
  private time = 0;
  private known = false;

  constructor(element: HTMLElement, changed: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = false;
    this.controls.zoomSpeed = 0.9;
    this.controls.minDistance = 0.05;
    this.controls.maxDistance = 200;
    this.controls.addEventListener("change", changed);
  }

  /** Moves the camera with the figure. `centre` is its present centre of mass; `cut` is true if another motion is shown than in the last frame. */
  track(centre: THREE.Vector3, cut: boolean, keys: readonly { time: number; camera: { eye: number[]; target: number[]; field?: number } }[], t: number): void {
    const move = centre.clone().sub(this.last);
    if (!this.known) this.level = centre.z;
    if (this.known && this.mode === "follow" && move.lengthSq() > 0) {
      // follow only a part of a quick vertical movement, so that the picture is steady; another motion starts at the height of its figure
      const drift = 1 - Math.exp(-Math.abs(t - this.time) / CLIMB), near = this.level + RAIL * move.z;
      const level = cut ? centre.z : THREE.MathUtils.clamp(near + drift * (centre.z - near), centre.z - AWAY, centre.z + AWAY);
      move.z = level - this.level;
      this.level = level;
      this.camera.position.add(move);
      this.controls.target.add(move);
      this.controls.update();
    }
    if (this.mode === "fixed") {
      this.controls.target.set(centre.x, centre.y, centre.z - 0.1 * Math.min(centre.z, 1));
      this.controls.update();
    }
    if (this.mode === "keys" && keys.length) this.apply(between(keys, t));
    this.last.copy(centre);
    this.time = t;
    this.known = true;
  }

  /** Looks from a direction [degrees] so that spheres of a radius [m] about all places are visible. */
  look(places: THREE.Vector3[], radius: number, azimuth: number, elevation: number): void {
    const a = THREE.MathUtils.degToRad(azimuth), e = THREE.MathUtils.degToRad(elevation);
    const toward = new THREE.Vector3(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e));
    const right = new THREE.Vector3(-Math.sin(a), Math.cos(a), 0), up = toward.clone().cross(right);
    const tall = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)), centre = new THREE.Box3().setFromPoints(places).getCenter(new THREE.Vector3());
    let far = 0;
    for (const place of places) {
      const p = place.clone().sub(centre), half = Math.max(Math.abs(p.dot(up)) + radius, (Math.abs(p.dot(right)) + 0.7 * radius) / this.camera.aspect);
      far = Math.max(far, half / tall + p.dot(toward) + 0.2 * radius);
    }
    this.level = this.last.z;
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(toward, far);
    this.controls.update();
  }

  apply(view: View): void {
    this.camera.position.fromArray(view.eye);
    this.controls.target.fromArray(view.target);
    this.camera.fov = view.field;
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  view(): View {
    const { position, fov } = this.camera, { target } = this.controls;
    return { eye: [position.x, position.y, position.z], target: [target.x, target.y, target.z], field: fov };
  }

  /** Forgets the last position of the figure, so that the camera does not follow the next change of position. */
  forget(): void {
    this.known = false;
  }
}

/** Interpolates smoothly between camera keys. The camera stops only at the first and the last key. */
export function between(keys: readonly { time: number; camera: { eye: number[]; target: number[]; field?: number } }[], t: number): View {
  const sorted = [...keys].sort((a, b) => a.time - b.time), n = sorted.length;
  let k = sorted.findIndex((key) => key.time > t) - 1;
  if (k === -2) k = n - 1;
  const at = (i: number) => sorted[Math.min(Math.max(i, 0), n - 1)]!;
  const a = at(k), b = at(k + 1), span = b.time - a.time, s = k < 0 || span <= 0 ? 0 : (t - a.time) / span;
  const mix = (pick: (key: (typeof sorted)[number]) => number) => {
    const slope = (i: number) => (i <= 0 || i >= n - 1 ? 0 : ((pick(at(i + 1)) - pick(at(i - 1))) / (at(i + 1).time - at(i - 1).time)) * span);
    const p = pick(a), q = pick(b), m = slope(k), o = slope(k + 1), s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * p + (s3 - 2 * s2 + s) * m + (3 * s2 - 2 * s3) * q + (s3 - s2) * o;
  };
  const vector = (pick: (key: (typeof sorted)[number]) => number[]) => [0, 1, 2].map((i) => mix((key) => pick(key)[i]!)) as [number, number, number];
  return { eye: vector((key) => key.camera.eye), target: vector((key) => key.camera.target), field: mix((key) => key.camera.field ?? FIELD) };
}
