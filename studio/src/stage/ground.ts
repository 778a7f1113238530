// The ground: a plane with grid lines that fade with the distance, or a height field. Both receive shadows.

import * as THREE from "three";
import { type Ground, unpack } from "../motion";
import type { Palette } from "./palette";
import { ScaleView } from "./scale";
import { dispose } from "./solids";

const VERTEX = `
varying vec3 world;
#include <common>
#include <fog_pars_vertex>
void main() {
  vec4 at = modelMatrix * vec4(position, 1.0);
  world = at.xyz;
  gl_Position = projectionMatrix * viewMatrix * at;
}`;
const FRAGMENT = `
varying vec3 world;
uniform vec3 ground, line, centre;
uniform float cell, spread, grid;
float lines(vec2 p, float width) {
  vec2 wide = fwidth(p), near = abs(fract(p - 0.5) - 0.5) / max(wide, 1e-6);
  vec2 seen = clamp(width - near, 0.0, 1.0) * clamp(1.3 - 2.5 * wide, 0.0, 1.0);
  return max(seen.x, seen.y);
}
void main() {
  float away = length(world.xy - centre.xy) / spread;
  float alpha = 1.0 - smoothstep(0.12, 1.0, away);
  float fine = lines(world.xy / cell, 1.1), bold = lines(world.xy / cell / 5.0, 1.25);
  float pool = 1.0 - smoothstep(0.0, 0.55, away); // a soft circle of light below the figure
  vec3 colour = mix(ground * (1.0 + 0.10 * pool), line, grid * max(0.22 * fine, 0.5 * bold));
  gl_FragColor = vec4(colour, alpha);
  #include <colorspace_fragment>
}`;

const NEAR_HILLS = 16; // [m] half width of the drawn part of a height field, seen from near
const ABOVE = 0.004; // [m] height of the lines over the ground, so that they are drawn whole
const MOST_CELLS = 160; // along a side of the drawn part

export class GroundView {
  readonly root = new THREE.Group();
  private plane: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial> | null = null;
  private catcher: THREE.Mesh<THREE.BufferGeometry, THREE.ShadowMaterial> | null = null;
  private hills: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial> | null = null;
  readonly scale: ScaleView;
  private kind: Ground | null | undefined;

  constructor(private palette: Palette, private grid: boolean) {
    this.scale = new ScaleView(palette.line);
  }

  /** Shows another ground, or no ground if it is null. */
  show(ground: Ground | null): void {
    if (ground === this.kind) return;
    this.kind = ground;
    for (const part of [...this.root.children]) dispose(part);
    this.plane = this.catcher = this.hills = null;
    this.scale.root.visible = false;
    if (ground && !(ground.kind === "heights" && ground.heights)) this.makePlane(ground);
  }

  paint(palette: Palette, grid: boolean): void {
    this.palette = palette;
    this.grid = grid;
    if (this.plane) {
      const { ground, line, grid: shown } = this.plane.material.uniforms;
      (ground!.value as THREE.Color).set(palette.ground);
      (line!.value as THREE.Color).set(palette.line);
      shown!.value = grid ? 1 : 0;
    }
    this.scale.paint(palette.label);
    if (this.catcher) this.catcher.material.opacity = palette.shadow;
    this.hills?.material.color.set(palette.ground).multiplyScalar(1.15);
    for (const part of this.hills?.children ?? []) {
      part.visible = grid;
      ((part as THREE.LineSegments).material as THREE.LineBasicMaterial).color.set(palette.line);
    }
  }

  /** Keeps the drawn and lit part of the ground below the point that the camera looks at. */
  centre(at: THREE.Vector3, eye: THREE.Vector3): void {
    const distance = eye.distanceTo(at);
    if (this.kind?.kind === "heights" && this.kind.heights) this.moveHills(at, distance);
    if (!this.plane) return;
    const { centre, spread, cell } = this.plane.material.uniforms;
    (centre!.value as THREE.Vector3).copy(at);
    spread!.value = Math.max(7, 4.2 * distance);
    cell!.value = distance > 60 ? 5 : distance > 9 ? 1 : distance > 0.8 ? 0.2 : 0.02;
    const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(this.plane.quaternion), [x = 0, y = 0, z = 0] = this.kind?.point ?? [];
    const high = z - (normal.x * (at.x - x) + normal.y * (at.y - y)) / Math.max(normal.z, 1e-3); // of the plane at this point
    for (const part of [this.plane, this.catcher!]) part.position.set(at.x, at.y, high);
    this.scale.centre(at.x, z, distance, eye.y > at.y, this.grid && normal.z > 0.999);
  }

  private makePlane(ground: Ground): void {
    const sheet = new THREE.PlaneGeometry(400, 400);
    const uniforms = {
      ground: { value: new THREE.Color(this.palette.ground) }, line: { value: new THREE.Color(this.palette.line) },
      centre: { value: new THREE.Vector3() }, cell: { value: 0.2 }, spread: { value: 20 }, grid: { value: this.grid ? 1 : 0 },
    };
    this.plane = new THREE.Mesh(sheet, new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, transparent: true, depthWrite: false }));
    this.catcher = new THREE.Mesh(sheet, new THREE.ShadowMaterial({ opacity: this.palette.shadow, color: 0x0a0f18, depthWrite: false }));
    this.catcher.receiveShadow = true;
    this.plane.renderOrder = -2;
    this.catcher.renderOrder = -1;
    const normal = new THREE.Vector3().fromArray(ground.normal ?? [0, 0, 1]).normalize();
    for (const part of [this.plane, this.catcher]) {
      part.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
      part.position.fromArray(ground.point ?? [0, 0, 0]);
      this.root.add(part);
    }
  }

  /** Builds the part of a height field around a point, within a half width [m]. Beyond its edges the ground continues at the height of the edge, as in simulations. */
  private makeHills(ground: Ground, at: THREE.Vector3, half: number): void {
    const heights = unpack(ground.heights!), [rows = 2, columns = 2] = ground.heights!.shape;
    const [x0 = 0, y0 = 0, z0 = 0] = ground.origin ?? [], [dx = 1, dy = dx] = ground.spacing ?? [], same = columns === 2 && sameAcross(heights);
    const height = (i: number, j: number) => z0 + heights[clamp(i, rows) * columns + clamp(j, columns)]!;
    const stride = same ? 1 : Math.ceil((2 * half) / dx / MOST_CELLS);
    const i0 = stride * Math.floor((at.x - half - x0) / dx / stride), i1 = Math.ceil((at.x + half - x0) / dx);
    const xs = range(i0, i1, stride), js = same ? [0, 1] : range(stride * Math.floor((at.y - half - y0) / dy / stride), Math.ceil((at.y + half - y0) / dy), stride);
    const xOf = (i: number) => x0 + i * dx, yOf = (j: number) => (same ? at.y + (2 * j - 1) * half : y0 + j * dy);
    const positions: number[] = [], colours: number[] = [], net: number[] = [];
    let least = Infinity, most = -Infinity;
    for (const i of xs) for (const j of js) (least = Math.min(least, height(i, j))), (most = Math.max(most, height(i, j)));
    const put = (i: number, j: number, shade: number) => {
      const away = Math.hypot(xOf(i) - at.x, same ? 0 : yOf(j) - at.y) / half, z = height(i, j);
      positions.push(xOf(i), yOf(j), z);
      const tone = shade * (0.74 + (0.26 * (z - least)) / Math.max(most - least, 1e-3)); // higher ground is lighter
      colours.push(tone, tone, tone, 1 - THREE.MathUtils.smoothstep(away, 0.6, 1));
    };
    const rises = (i: number) => same && Math.abs(height(i + 1, 0) - height(i, 0)) > 0.15 * dx && Math.abs(height(i, 0) - height(i - 1, 0)) < 0.05 * dx; // a step begins here
    let step = xs.filter((i) => rises(i)).length ? Math.round(height(xs[0]!, 0) / Math.max(...xs.map((i) => height(i + 1, 0) - height(i, 0)), 1e-3)) : 0; // the same tread keeps its shade when the drawn part moves
    for (let a = 0; a + 1 < xs.length; a++) {
      if (rises(xs[a]!)) step++;
      for (let b = 0; b + 1 < js.length; b++) {
        const [i, k, j, m] = [xs[a]!, xs[a + 1]!, js[b]!, js[b + 1]!];
        const shade = step % 2 ? 1.35 : 0.85; // treads of stairs are lighter and darker in turn
        for (const [p, q] of [[i, j], [k, j], [i, m], [i, m], [k, j], [k, m]] as const) put(p, q, shade);
      }
    }
    const line = (i: number, j: number, k: number, m: number) => net.push(xOf(i), yOf(j), height(i, j) + ABOVE, xOf(k), yOf(m), height(k, m) + ABOVE);
    const apart = Math.max(1, Math.round(0.2 / dx)), across = xs.filter((i) => i % apart === 0 || rises(i) || rises(i - 1));
    for (const i of across) for (let b = 0; b + 1 < js.length; b++) line(i, js[b]!, i, js[b + 1]!);
    if (same) for (let y = Math.ceil(at.y - half); y <= at.y + half; y++) for (let a = 0; a + 1 < xs.length; a++) net.push(xOf(xs[a]!), y, height(xs[a]!, 0) + ABOVE, xOf(xs[a + 1]!), y, height(xs[a + 1]!, 0) + ABOVE);
    else for (const j of js.filter((own) => own % Math.max(1, Math.round(0.2 / dy)) === 0)) for (let a = 0; a + 1 < xs.length; a++) line(xs[a]!, j, xs[a + 1]!, j);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 4));
    geometry.computeVertexNormals();
    const paint = new THREE.MeshStandardMaterial({ vertexColors: true, transparent: true, color: new THREE.Color(this.palette.ground).multiplyScalar(1.15), roughness: 0.95, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.hills = new THREE.Mesh(geometry, paint);
    this.hills.receiveShadow = true;
    this.hills.renderOrder = -2;
    const lines = new THREE.BufferGeometry();
    lines.setAttribute("position", new THREE.Float32BufferAttribute(net, 3));
    const mesh = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: this.palette.line, transparent: true, opacity: 0.35 }));
    mesh.visible = this.grid;
    mesh.renderOrder = -1;
    this.hills.add(mesh);
    this.hills.userData = { at: at.clone(), half };
    this.root.add(this.hills);
  }

  /** Builds the drawn part of a height field again if the camera has moved away from its middle. */
  private moveHills(at: THREE.Vector3, distance: number): void {
    const half = NEAR_HILLS * 2 ** Math.max(0, Math.ceil(Math.log2((3 * distance) / NEAR_HILLS))), last = this.hills?.userData as { at: THREE.Vector3; half: number } | undefined;
    if (last && last.half === half && Math.hypot(last.at.x - at.x, last.at.y - at.y) < 0.2 * half) return;
    if (this.hills) dispose(this.hills);
    this.makeHills(this.kind!, at, half);
  }
}

const clamp = (i: number, n: number) => Math.min(Math.max(i, 0), n - 1);

const range = (first: number, last: number, step: number) => Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, k) => first + k * step);

/** Returns whether a height field of two columns has the same height in both, so that it can be drawn as wide as necessary. */
function sameAcross(heights: ArrayLike<number>): boolean {
  for (let k = 0; k + 1 < heights.length; k += 2) if (heights[k] !== heights[k + 1]) return false;
  return true;
}
