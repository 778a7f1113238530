// The ground: a plane with grid lines that fade with the distance, or a height field. Both receive shadows.

import * as THREE from "three";
import { type Ground, unpack } from "../motion";
import type { Palette } from "./palette";
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

export class GroundView {
  readonly root = new THREE.Group();
  private plane: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial> | null = null;
  private catcher: THREE.Mesh<THREE.BufferGeometry, THREE.ShadowMaterial> | null = null;
  private hills: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial> | null = null;
  private kind: Ground | null | undefined;

  constructor(private palette: Palette, private grid: boolean) {}

  /** Shows another ground, or no ground if it is null. */
  show(ground: Ground | null): void {
    if (ground === this.kind) return;
    this.kind = ground;
    for (const part of [...this.root.children]) dispose(part);
    this.plane = this.catcher = this.hills = null;
    if (ground?.kind === "heights" && ground.heights) this.makeHills(ground);
    else if (ground) this.makePlane(ground);
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
    if (this.catcher) this.catcher.material.opacity = palette.shadow;
    this.hills?.material.color.set(palette.ground).multiplyScalar(1.15);
    for (const part of this.hills?.children ?? []) {
      part.visible = grid;
      ((part as THREE.LineSegments).material as THREE.LineBasicMaterial).color.set(palette.line);
    }
  }

  /** Keeps the lit part of the ground below the point that the camera looks at. */
  centre(at: THREE.Vector3, distance: number): void {
    if (!this.plane) return;
    const { centre, spread, cell } = this.plane.material.uniforms;
    (centre!.value as THREE.Vector3).copy(at);
    spread!.value = Math.max(7, 4.2 * distance);
    cell!.value = distance > 60 ? 5 : distance > 9 ? 1 : distance > 0.8 ? 0.2 : 0.02;
    for (const part of [this.plane, this.catcher!]) part.position.set(at.x, at.y, part.position.z);
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

  private makeHills(ground: Ground): void {
    const heights = unpack(ground.heights!), [rows = 2, columns = 2] = ground.heights!.shape;
    const [x0 = 0, y0 = 0, z0 = 0] = ground.origin ?? [], [dx = 1, dy = dx] = ground.spacing ?? [];
    const positions = new Float32Array(3 * rows * columns), corners: number[] = [], net: number[] = [];
    const [alongX, alongY] = [dx, dy].map((d) => Math.max(1, Math.round(0.2 / d))); // grid lines are 20 cm apart, or as far as the points of the height field
    let least = Infinity, most = -Infinity;
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++) {
        const k = i * columns + j;
        positions.set([x0 + i * dx, y0 + j * dy, z0 + heights[k]!], 3 * k);
        if (i + 1 < rows && j + 1 < columns) corners.push(k, k + columns, k + 1, k + 1, k + columns, k + columns + 1);
        if (i + 1 < rows && j % alongY! === 0) net.push(k, k + columns);
        if (j + 1 < columns && i % alongX! === 0) net.push(k, k + 1);
        least = Math.min(least, heights[k]!);
        most = Math.max(most, heights[k]!);
      }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setIndex(corners);
    geometry.computeVertexNormals();
    const shade = new Float32Array(3 * rows * columns); // higher ground is lighter
    for (let k = 0; k < rows * columns; k++) shade.fill(0.62 + (0.38 * (heights[k]! - least)) / Math.max(most - least, 1e-3), 3 * k, 3 * k + 3);
    geometry.setAttribute("color", new THREE.BufferAttribute(shade, 3));
    const paint = new THREE.MeshStandardMaterial({ vertexColors: true, flatShading: true, color: new THREE.Color(this.palette.ground).multiplyScalar(1.15), roughness: 0.95, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.hills = new THREE.Mesh(geometry, paint);
    this.hills.receiveShadow = true;
    const lines = new THREE.BufferGeometry();
    lines.setAttribute("position", geometry.getAttribute("position"));
    lines.setIndex(net);
    const mesh = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: this.palette.line, transparent: true, opacity: 0.35 }));
    mesh.visible = this.grid;
    this.hills.add(mesh);
    this.root.add(this.hills);
  }
}
