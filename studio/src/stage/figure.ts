// A figure on the stage: each link is a group with solids, sticks or the skin. One array contains the poses of all links.

import * as THREE from "three";
import type { Body } from "../app";
import type { Appearance } from "../motion";
import type { Palette } from "./palette";
import { segmentColours } from "./segments";
import { paintSegments, skinMesh } from "./skin";
import { colourOf, dispose, solidMesh } from "./solids";

const HOVERED = 0.2, SELECTED = 0.42; // strength of the highlight

export interface FigureStyle {
  body: Body;
  /** Whether the figure is drawn pale and transparent, for comparison. */
  ghost: boolean;
  /** A tint that distinguishes several figures; null keeps the colours of the figure. */
  tint: THREE.Color | null;
  /** Whether each link has a colour of its own. */
  segments?: boolean;
}

export class FigureView {
  readonly root = new THREE.Group();
  readonly links: THREE.Group[];
  readonly poses: Float32Array;
  private bones: THREE.Bone[] = [];
  private skin: THREE.SkinnedMesh | null = null;
  private sticks: THREE.InstancedMesh | null = null;
  private knobs: THREE.InstancedMesh | null = null;
  private lit = new Map<number, number>();

  constructor(readonly look: Appearance, readonly index: number, readonly style: FigureStyle, private palette: Palette) {
    this.poses = new Float32Array(7 * look.links.length);
    this.links = look.links.map((_, link) => {
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      group.userData = { figure: index, link };
      this.root.add(group);
      return group;
    });
    for (let i = 0; i < look.links.length; i++) this.poses[7 * i + 3] = 1;
    this.build();
  }

  get size(): number {
    return this.look.size ?? 1.7;
  }

  /** Moves every link to its pose. */
  place(): void {
    this.links.forEach((group, i) => {
      matrixOf(this.poses, i, group.matrix);
      group.matrixWorldNeedsUpdate = true;
      const bone = this.bones[i];
      if (bone) {
        bone.matrix.copy(group.matrix);
        bone.matrixWorld.copy(group.matrix);
      }
    });
    if (this.sticks) this.placeSticks();
  }

  /** Returns the position of a point of a link in the world. */
  point(link: number, at: ArrayLike<number>, out = new THREE.Vector3()): THREE.Vector3 {
    return out.set(at[0]!, at[1]!, at[2]!).applyMatrix4(this.links[link]!.matrix);
  }

  /** Estimates the centre of mass from the origins of the link frames; used if the motion does not contain it. */
  middle(out = new THREE.Vector3()): THREE.Vector3 {
    let mass = 0;
    out.set(0, 0, 0);
    this.look.links.forEach((link, i) => {
      const m = Math.max(link.mass, 1e-6);
      mass += m;
      out.x += m * this.poses[7 * i]!;
      out.y += m * this.poses[7 * i + 1]!;
      out.z += m * this.poses[7 * i + 2]!;
    });
    return out.divideScalar(Math.max(mass, 1e-6));
  }

  /** Highlights the selected link and the link under the pointer. */
  glow(selected: number | null, hovered: number | null): void {
    const lit = new Map<number, number>();
    if (hovered !== null) lit.set(hovered, HOVERED);
    if (selected !== null) lit.set(selected, SELECTED);
    for (const link of new Set([...this.lit.keys(), ...lit.keys()])) {
      const strength = lit.get(link) ?? 0;
      if ((this.lit.get(link) ?? 0) !== strength) this.links[link]?.children.forEach((part) => this.shine(part as THREE.Mesh, strength));
    }
    this.lit = lit;
  }

  private shine(part: THREE.Mesh, strength: number): void {
    const material = part.material as THREE.MeshStandardMaterial;
    material.emissive.set(this.palette.mark);
    material.emissiveIntensity = strength;
    if (this.skin) part.visible = strength >= SELECTED; // the volume of the selected link shows through the skin
  }

  /** Returns the objects that the pointer can hit: sticks or volumes, also volumes under a skin. */
  targets(): THREE.Object3D[] {
    return this.sticks ? [this.sticks] : this.links;
  }

  /** Returns the index of the link that was hit. */
  linkOf(hit: THREE.Intersection): number | null {
    if (hit.object === this.sticks) return this.look.sticks[hit.instanceId ?? 0]?.[0][0] ?? null;
    for (let object: THREE.Object3D | null = hit.object; object; object = object.parent)
      if (typeof object.userData["link"] === "number") return object.userData["link"];
    return null;
  }

  dispose(): void {
    dispose(this.root);
  }

  private material(colour: THREE.Color): THREE.MeshStandardMaterial {
    if (this.style.tint) colour.lerp(this.style.tint, 0.55);
    if (!this.style.ghost) return new THREE.MeshStandardMaterial({ color: colour, roughness: 0.56, metalness: 0.02 });
    return new THREE.MeshStandardMaterial({ color: this.palette.ghost, roughness: 0.9, transparent: true, opacity: 0.28, depthWrite: false });
  }

  private build(): void {
    const { body } = this.style;
    if (body === "surface" && this.look.skin) this.buildSkin();
    else if (body === "surface" && this.look.solids.some((s) => s.kind === "mesh")) this.buildSolids(true);
    else if (body !== "stick" && this.look.solids.length) this.buildSolids(false);
    else this.buildSticks();
    if (this.style.ghost) this.root.traverse((object) => (object.castShadow = object.receiveShadow = false));
  }

  /** Builds the volumes of all links. If `meshes` is true, links with a mesh in their file are drawn by the mesh. */
  private buildSolids(meshes: boolean): void {
    const meshed = new Set(this.look.solids.filter((s) => s.kind === "mesh").map((s) => s.link));
    const bulky = new Set(this.look.solids.filter((s) => s.kind !== "mesh").map((s) => s.link));
    const own = this.style.segments ? segmentColours(this.look.links) : null;
    for (const solid of this.look.solids) {
      const isMesh = solid.kind === "mesh";
      if (isMesh ? !meshes && bulky.has(solid.link) : meshes && meshed.has(solid.link)) continue;
      this.links[solid.link]?.add(solidMesh(solid, this.material(own?.[solid.link]?.clone() ?? colourOf(solid.colour, this.palette.bone))));
    }
  }

  private buildSkin(): void {
    const { mesh, bones } = skinMesh(this.look.skin!, this.look.links.length, new THREE.Color("#d7dbe2"));
    if (this.style.ghost || this.style.tint) {
      const coloured = !this.style.ghost && mesh.geometry.hasAttribute("color");
      mesh.material = this.material(new THREE.Color(coloured ? "#ffffff" : "#d7dbe2"));
      mesh.material.vertexColors = coloured;
    }
    if (this.style.segments) {
      paintSegments(mesh.geometry, segmentColours(this.look.links));
      mesh.material.color.set("#ffffff");
      mesh.material.vertexColors = true;
    }
    this.skin = mesh;
    this.bones = bones;
    this.root.add(mesh);
    for (const solid of this.look.solids) {
      const inside = solidMesh(solid, new THREE.MeshStandardMaterial({ color: this.palette.mark, transparent: true, opacity: 0.35, depthTest: false }));
      inside.visible = inside.castShadow = false;
      this.links[solid.link]?.add(inside);
    }
  }

  private buildSticks(): void {
    const count = this.look.sticks.length, wide = 0.011 * this.size;
    const rod = new THREE.CylinderGeometry(wide, wide, 1, 14).rotateX(Math.PI / 2);
    const knob = new THREE.SphereGeometry(1.55 * wide, 18, 14);
    this.sticks = new THREE.InstancedMesh(rod, this.material(new THREE.Color(this.palette.bone)), count);
    this.knobs = new THREE.InstancedMesh(knob, this.material(new THREE.Color(this.palette.bone)), count + 1);
    const tones = new Map(this.look.solids.map((s) => [s.link, colourOf(s.colour)]));
    this.look.sticks.forEach(([from], i) => this.sticks!.setColorAt(i, tones.get(from[0]) ?? new THREE.Color(this.palette.bone)));
    if (!this.style.ghost) (this.sticks.material as THREE.MeshStandardMaterial).color.set("#ffffff");
    for (const part of [this.sticks, this.knobs]) {
      part.frustumCulled = false;
      part.castShadow = part.receiveShadow = true;
      this.root.add(part);
    }
  }

  private placeSticks(): void {
    const matrix = new THREE.Matrix4(), a = new THREE.Vector3(), b = new THREE.Vector3(), z = new THREE.Vector3(0, 0, 1);
    const along = new THREE.Vector3(), turn = new THREE.Quaternion(), scale = new THREE.Vector3(1, 1, 1), none = new THREE.Quaternion();
    this.look.sticks.forEach(([from, to], i) => {
      this.point(from[0], from.slice(1), a);
      this.point(to[0], to.slice(1), b);
      const length = along.subVectors(b, a).length();
      turn.setFromUnitVectors(z, along.normalize());
      this.sticks!.setMatrixAt(i, matrix.compose(a.clone().add(b).multiplyScalar(0.5), turn, scale.set(1, 1, Math.max(length, 1e-4))));
      this.knobs!.setMatrixAt(i, matrix.compose(b, none, scale.set(1, 1, 1)));
    });
    this.point(0, [0, 0, 0], a);
    this.knobs!.setMatrixAt(this.look.sticks.length, matrix.compose(a, none, scale.set(1, 1, 1)));
    this.sticks!.instanceMatrix.needsUpdate = this.knobs!.instanceMatrix.needsUpdate = true;
    this.sticks!.computeBoundingSphere();
  }
}

const place = new THREE.Vector3(), turn = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1);

/** Returns the matrix of the pose (x y z, w x y z) of link i. */
export function matrixOf(poses: ArrayLike<number>, i: number, out: THREE.Matrix4): THREE.Matrix4 {
  const o = 7 * i;
  place.set(poses[o]!, poses[o + 1]!, poses[o + 2]!);
  turn.set(poses[o + 4]!, poses[o + 5]!, poses[o + 6]!, poses[o + 3]!);
  return out.compose(place, turn, one);
}
