// Arrows of the forces and moments of the project, and of pushes.

import * as THREE from "three";
import type { Force } from "../messages";
import { Arrows } from "./arrows";
import type { FigureView } from "./figure";

const TALL = 0.8; // [m] length of the arrow of a force as large as the body weight
const LONGEST = 1.2; // [m]
const LEAST = 0.18; // [m] so that a small force is seen
const GRAVITY = 9.81;
const STAYS = 0.4; // [s] that the arrow of a short force remains after its end, to be seen
const FLASH = 900; // [ms] that the arrow of a push remains

export interface Load {
  from: THREE.Vector3;
  along: THREE.Vector3;
  moment: boolean;
}

export class Loads {
  readonly root = new THREE.Group();
  /** The arrows of the last frame, for tests. */
  shown: Load[] = [];
  private readonly forces = new Arrows(32, "#ff8a5c", 0.014);
  private readonly moments = new Arrows(64, "#b99cff", 0.014);
  private readonly impulses = new Arrows(8, "#ffc46b", 0.016);

  constructor(private readonly changed: () => void) {
    this.root.add(this.forces.root, this.moments.root, this.impulses.root);
  }

  /** Draws the forces of a project that act at a time [s]; null draws all of them, for a figure without motion. */
  update(forces: readonly Force[], t: number | null, view: (figure: number) => FigureView | null): void {
    this.forces.clear();
    this.moments.clear();
    this.shown = [];
    for (const force of forces) {
      const figure = view(force.figure), link = figure?.look.links.findIndex((own) => own.name === force.link) ?? -1;
      if (!figure || link < 0 || (t !== null && (t < force.start || (force.end !== null && t > force.end + STAYS)))) continue;
      const weight = Math.max(1, GRAVITY * figure.look.links.reduce((sum, own) => sum + own.mass, 0)), along = new THREE.Vector3().fromArray(force.vector);
      if (along.lengthSq() === 0) continue;
      if (force.axes === "link") along.transformDirection(figure.links[link]!.matrix).setLength(Math.hypot(...force.vector));
      along.setLength(Math.min(LONGEST, Math.max(LEAST, (TALL * along.length()) / (force.moment ? 0.25 * weight : weight))));
      const at = figure.point(link, force.moment ? [0, 0, 0] : force.point);
      this.shown.push({ from: at, along, moment: force.moment });
      if (!force.moment) {
        this.forces.add(at.clone().sub(along), along); // the arrow ends where the force acts
        continue;
      }
      this.moments.add(at, along); // two heads, as usual for moments
      this.moments.add(at, along.clone().multiplyScalar(0.8));
    }
  }

  /** Shows a push for a moment. */
  flash(from: THREE.Vector3, impulse: THREE.Vector3): void {
    const along = impulse.clone().setLength(Math.min(LONGEST, 0.15 + impulse.length() / 60));
    this.impulses.add(from.clone().sub(along), along);
    this.root.userData["pushes"] = Number(this.root.userData["pushes"] ?? 0) + 1;
    this.changed();
    setTimeout(() => (this.impulses.clear(), this.changed()), FLASH);
  }
}
