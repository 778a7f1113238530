// Overlays of a figure: forces, centre of mass, centre of pressure, virtual leg, limits, trails, markers.

import * as THREE from "three";
import type { Shown } from "../app";
import type { Motion } from "../motion";
import { Arrows } from "./arrows";
import { type FigureView } from "./figure";
import { limitMeshes } from "./limits";
import type { Palette } from "./palette";
import { colourOf, dispose } from "./solids";
import { Torques } from "./torques";

const TALL = 0.8; // [m] length of the arrow of a force as large as the body weight
const TORQUE = 0.08; // × weight × size: the torque whose arc is a three-quarter turn
const GRAVITY = 9.81;
const PAST = 1.5; // [s] duration of trails

export class Extras {
  readonly root = new THREE.Group();
  private readonly forces: Arrows;
  private readonly torques: Torques;
  private readonly com: THREE.Mesh;
  private readonly plumb: THREE.Line;
  private readonly cop: THREE.Mesh;
  private readonly leg: THREE.Mesh;
  private readonly dots: THREE.InstancedMesh;
  private trails: THREE.Line[] = [];
  private limits: { object: THREE.Object3D; link: number }[] = [];
  private limitsOf: string | null = null;
  private readonly weight: number;

  constructor(private readonly figure: FigureView, private palette: Palette) {
    const size = figure.size;
    this.weight = Math.max(1, figure.look.links.reduce((sum, link) => sum + link.mass, 0) * GRAVITY);
    this.forces = new Arrows(64, palette.force, 0.0065 * size);
    this.torques = new Torques(figure, TORQUE * this.weight * size, palette.limit);
    this.com = ball(0.022 * size, palette.com);
    this.cop = new THREE.Mesh(new THREE.RingGeometry(0.018 * size, 0.028 * size, 32), new THREE.MeshBasicMaterial({ color: palette.cop, side: THREE.DoubleSide, transparent: true, depthTest: false }));
    this.plumb = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0, 0, -1)]), new THREE.LineDashedMaterial({ color: palette.com, dashSize: 0.05, gapSize: 0.04, transparent: true, opacity: 0.8 }));
    this.plumb.computeLineDistances();
    this.leg = new THREE.Mesh(new THREE.CylinderGeometry(0.008 * size, 0.008 * size, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5), new THREE.MeshStandardMaterial({ color: palette.leg, emissive: palette.leg, emissiveIntensity: 0.5, transparent: true, opacity: 0.8, depthTest: false }));
    this.dots = new THREE.InstancedMesh(new THREE.SphereGeometry(0.007 * size, 12, 10), new THREE.MeshBasicMaterial({ color: palette.cop }), Math.max(1, figure.look.markers.length));
    this.dots.frustumCulled = false;
    (this.com.material as THREE.Material).depthTest = false;
    this.com.renderOrder = this.cop.renderOrder = this.leg.renderOrder = 4;
    this.root.add(this.forces.root, this.torques.root, this.com, this.plumb, this.cop, this.leg, this.dots);
  }

  /** Draws the overlays at a time. `k` is the index of the figure in the motion. */
  update(motion: Motion, k: number, t: number, shown: Shown, selected: number | null): void {
    const centre = this.centre(motion, k, t), pressed = this.pressure(motion, k, t);
    this.com.visible = this.plumb.visible = shown.com;
    this.com.position.copy(centre);
    this.plumb.position.copy(centre);
    this.plumb.scale.z = Math.max(centre.z, 0.01);
    this.cop.visible = shown.cop && pressed !== null;
    if (pressed) this.cop.position.copy(pressed).add(new THREE.Vector3(0, 0, 0.004));
    this.leg.visible = shown.virtualLeg && pressed !== null;
    if (pressed) stretch(this.leg, pressed, centre);
    this.forces.clear();
    if (shown.forces) this.drawForces(motion, k, t);
    this.torques.update(shown.torques ? motion : null, k, t);
    this.dots.visible = shown.markers;
    if (shown.markers) this.drawMarkers();
    this.drawTrails(motion, k, t, shown.trails);
    this.drawLimits(shown.limits, selected);
  }

  centre(motion: Motion, k: number, t: number, out = new THREE.Vector3()): THREE.Vector3 {
    const table = motion.table(`com/${k}`);
    return table ? out.fromArray(motion.sample(table, t, new Float32Array(table.stride))) : this.figure.middle(out);
  }

  dispose(): void {
    dispose(this.root);
  }

  /** Computes the centre of pressure Σ F_z p / Σ F_z of the contacts, or null if there is no contact. */
  private pressure(motion: Motion, k: number, t: number): THREE.Vector3 | null {
    const table = motion.table(`contact/${k}`);
    if (!table) return null;
    const row = motion.nearest(t) * table.stride, sum = new THREE.Vector3();
    let total = 0;
    for (let i = row; i < row + table.stride; i += 6) {
      const up = Math.max(table.data[i + 5]!, 0);
      if (!(up > 1e-6)) continue;
      total += up;
      sum.x += up * table.data[i]!;
      sum.y += up * table.data[i + 1]!;
      sum.z += up * table.data[i + 2]!;
    }
    return total > 1e-3 * this.weight ? sum.divideScalar(total) : null;
  }

  /** Draws one arrow for contact points that are close together, such as those of a foot. */
  private drawForces(motion: Motion, k: number, t: number): void {
    const table = motion.table(`contact/${k}`);
    if (!table) return;
    const row = motion.nearest(t) * table.stride, groups: { at: THREE.Vector3; force: THREE.Vector3; total: number }[] = [];
    for (let i = row; i < row + table.stride; i += 6) {
      const force = new THREE.Vector3().fromArray(table.data, i + 3), size = force.length();
      if (!(size > 1e-3 * this.weight)) continue;
      const at = new THREE.Vector3().fromArray(table.data, i);
      const near = groups.find((g) => g.at.clone().divideScalar(g.total).distanceTo(at) < 0.17 * this.figure.size);
      if (near) {
        near.at.addScaledVector(at, size);
        near.force.add(force);
        near.total += size;
      } else groups.push({ at: at.multiplyScalar(size), force, total: size });
    }
    for (const { at, force, total } of groups) this.forces.add(at.divideScalar(total), force.multiplyScalar((TALL * (this.figure.size / 1.7)) / this.weight));
  }

  private drawMarkers(): void {
    const matrix = new THREE.Matrix4(), at = new THREE.Vector3();
    this.figure.look.markers.forEach((marker, i) => this.dots.setMatrixAt(i, matrix.makeTranslation(this.figure.point(marker.link, marker.point, at))));
    this.dots.count = this.figure.look.markers.length;
    this.dots.instanceMatrix.needsUpdate = true;
  }

  /** Draws recent paths of the centre of mass and of the ends of limbs. */
  private drawTrails(motion: Motion, k: number, t: number, wanted: boolean): void {
    for (const trail of this.trails) trail.visible = wanted;
    if (!wanted) return;
    const ends = endsOf(this.figure);
    if (!this.trails.length) {
      this.trails = [-1, ...ends].map((link) => {
        const colour = link < 0 ? new THREE.Color(this.palette.com) : colourOf(this.figure.look.solids.find((s) => s.link === link)?.colour, this.palette.mark);
        const line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true, transparent: true }));
        line.userData = { link, colour };
        line.frustumCulled = false;
        this.root.add(line);
        return line;
      });
    }
    const last = motion.nearest(t), first = motion.nearest(t - PAST), com = motion.table(`com/${k}`), poses = motion.table(`poses/${k}`);
    const step = Math.max(1, Math.ceil((last - first) / 240));
    for (const trail of this.trails) {
      const { link, colour } = trail.userData as { link: number; colour: THREE.Color };
      const points: number[] = [], tones: number[] = [], table = link < 0 ? com : poses;
      if (!table) continue;
      for (let i = first; i <= last; i += step) {
        const o = i * table.stride + (link < 0 ? 0 : 7 * link), fade = last > first ? (i - first) / (last - first) : 1;
        points.push(table.data[o]!, table.data[o + 1]!, table.data[o + 2]!);
        tones.push(colour.r, colour.g, colour.b, fade);
      }
      trail.geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
      trail.geometry.setAttribute("color", new THREE.Float32BufferAttribute(tones, 4));
      trail.geometry.setDrawRange(0, points.length / 3);
    }
  }

  private drawLimits(wanted: boolean, selected: number | null): void {
    const of = wanted ? `${selected}` : null;
    if (of !== this.limitsOf) {
      for (const { object } of this.limits) dispose(object);
      this.limits = wanted ? limitMeshes(this.figure.look, selected, this.palette.limit) : [];
      for (const { object } of this.limits) this.root.add(object);
      this.limitsOf = of;
    }
    for (const { object, link } of this.limits) {
      const { parent, joint } = this.figure.look.links[link]!;
      if (parent >= 0) object.matrix.copy(this.figure.links[parent]!.matrix);
      else object.matrix.identity();
      if (joint.frame) object.matrix.multiply(new THREE.Matrix4().fromArray(joint.frame));
      object.matrixWorldNeedsUpdate = true;
    }
  }
}

function ball(radius: number, colour: string): THREE.Mesh {
  return new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 18), new THREE.MeshStandardMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.5, roughness: 0.4, transparent: true }));
}

/** Stretches an object of length 1 along z from a to b. */
function stretch(object: THREE.Object3D, a: THREE.Vector3, b: THREE.Vector3): void {
  const along = b.clone().sub(a), length = along.length();
  object.position.copy(a);
  object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), along.divideScalar(Math.max(length, 1e-9)));
  object.scale.set(1, 1, Math.max(length, 1e-6));
}

/** Returns the links without children, such as hands, feet and head. */
function endsOf(figure: FigureView): number[] {
  const parents = new Set(figure.look.links.map((link) => link.parent));
  return figure.look.links.map((_, i) => i).filter((i) => !parents.has(i)).slice(0, 8);
}
