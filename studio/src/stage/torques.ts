// Joint torques of a figure, drawn as arcs with a head about their axes. The arc is longer for a larger torque.

import * as THREE from "three";
import type { Motion } from "../motion";
import type { FigureView } from "./figure";

const TURN = 1.5 * Math.PI; // [rad] arc of the reference torque
const LONGEST = 1.8 * Math.PI; // [rad]
const LEAST = 0.06; // of the reference torque; smaller torques are not drawn
const RADIUS = 0.062, TUBE = 0.0048; // × the size of the figure
const STEPS = 72, ROUND = 8; // segments along and around the tube of a whole turn
const UP = new THREE.Vector3(0, 0, 1), AHEAD = new THREE.Vector3(1, 0, 0);

interface Arc {
  link: number;
  /** Columns of the torques, and the axis of each: in the frame of the joint ("parent") or of the link. */
  axes: { column: number; axis: THREE.Vector3; parent: boolean }[];
  mesh: THREE.Group;
  tube: THREE.Mesh;
  head: THREE.Mesh;
}

export class Torques {
  readonly root = new THREE.Group();
  private readonly arcs: Arc[];

  /** `reference` is the torque [N m] whose arc is a three-quarter turn. */
  constructor(private readonly figure: FigureView, private readonly reference: number, colour: string) {
    const radius = RADIUS * figure.size, material = new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.92, depthTest: false });
    const tube = tubeOf(radius, TUBE * figure.size), cone = new THREE.ConeGeometry(3.2 * TUBE * figure.size, 8 * TUBE * figure.size, 18);
    let column = 0;
    this.arcs = figure.look.links.flatMap(({ parent, joint }, link) => {
      const axes = joint.dofs.map((_, k) => ({ column: column + k, axis: new THREE.Vector3().fromArray(joint.axes?.[k] ?? [0, 0, 1]), parent: joint.dofs.length === 2 && k === 0 }));
      column += joint.dofs.length;
      if (parent < 0 && joint.dofs.length === 6) return []; // the free root
      const turning = axes.filter((_, k) => !joint.lengths?.[k]);
      if (!turning.length) return [];
      const own = new THREE.Mesh(tube.clone(), material), head = new THREE.Mesh(cone, material), mesh = new THREE.Group();
      own.frustumCulled = head.frustumCulled = false;
      own.renderOrder = head.renderOrder = 6;
      mesh.add(own, head);
      this.root.add(mesh);
      return [{ link, axes: turning, mesh, tube: own, head }];
    });
  }

  /** Draws the torques of a motion at a time; null, or a motion without torques, hides them. */
  update(motion: Motion | null, k: number, t: number): void {
    const table = motion?.table(`tau/${k}`) ?? null;
    this.root.visible = !!table;
    this.root.userData["shown"] = 0;
    if (!motion || !table) return;
    const now = motion.sample(table, t, new Float32Array(table.stride)), moment = new THREE.Vector3(), axis = new THREE.Vector3(), turn = new THREE.Quaternion();
    for (const { link, axes, mesh, tube, head } of this.arcs) {
      moment.set(0, 0, 0);
      for (const own of axes) moment.addScaledVector(axis.copy(own.axis).applyQuaternion(this.attitude(link, own.parent, turn)), now[own.column]!);
      const size = moment.length() / this.reference;
      mesh.visible = size > LEAST;
      if (!mesh.visible) continue;
      this.root.userData["shown"]++;
      const sweep = Math.min(TURN * size, LONGEST), radius = RADIUS * this.figure.size;
      mesh.quaternion.setFromRotationMatrix(frameOf(moment.normalize())).multiply(turn.setFromAxisAngle(UP, -sweep / 2)); // its middle is on top
      mesh.position.setFromMatrixPosition(this.figure.links[link]!.matrix);
      tube.geometry.setDrawRange(0, 6 * ROUND * Math.max(1, Math.round((STEPS * sweep) / (2 * Math.PI))));
      head.position.set(radius * Math.cos(sweep), radius * Math.sin(sweep), 0);
      head.rotation.z = sweep; // its tip, along y, follows the arc
      head.scale.setScalar(Math.min(1, 0.55 + size));
    }
  }

  /** Returns the rotation of a link, or of the frame of its joint in the parent. */
  private attitude(link: number, parent: boolean, out: THREE.Quaternion): THREE.Quaternion {
    const { parent: inner, joint } = this.figure.look.links[link]!, matrix = new THREE.Matrix4();
    if (!parent) return out.setFromRotationMatrix(this.figure.links[link]!.matrix);
    if (inner >= 0) matrix.copy(this.figure.links[inner]!.matrix);
    if (joint.frame) matrix.multiply(new THREE.Matrix4().fromArray(joint.frame));
    return out.setFromRotationMatrix(matrix);
  }
}

/** Returns a frame whose z axis is a direction, and whose x axis points upwards, or ahead for a vertical direction. */
function frameOf(z: THREE.Vector3): THREE.Matrix4 {
  const x = (Math.abs(z.z) < 0.95 ? UP : AHEAD).clone();
  x.addScaledVector(z, -x.dot(z)).normalize();
  return new THREE.Matrix4().makeBasis(x, new THREE.Vector3().crossVectors(z, x), z);
}

/** Returns a ring in the plane z = 0 whose triangles go round from angle 0, so that the first ones are an arc. */
function tubeOf(radius: number, thick: number): THREE.BufferGeometry {
  const points: number[] = [], index: number[] = [];
  for (let i = 0; i <= STEPS; i++)
    for (let j = 0; j < ROUND; j++) {
      const a = (2 * Math.PI * i) / STEPS, b = (2 * Math.PI * j) / ROUND, far = radius + thick * Math.cos(b);
      points.push(far * Math.cos(a), far * Math.sin(a), thick * Math.sin(b));
      if (i === STEPS) continue;
      const at = i * ROUND + j, beside = i * ROUND + ((j + 1) % ROUND);
      index.push(at, at + ROUND, beside, beside, at + ROUND, beside + ROUND);
    }
  const found = new THREE.BufferGeometry();
  found.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  found.setIndex(index);
  return found;
}
