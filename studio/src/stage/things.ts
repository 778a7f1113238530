// What stands or moves beside the figures: obstacles, pillars.

import * as THREE from "three";
import type { Motion, SolidLook, Thing } from "../motion";
import { matrixOf } from "./figure";
import { colourOf, dispose, solidMesh } from "./solids";

export class Things {
  readonly root = new THREE.Group();
  private shown: readonly Thing[] = [];
  private frames: THREE.Group[] = [];

  show(things: readonly Thing[], colour: string): void {
    if (things === this.shown) return;
    this.shown = things;
    for (const part of [...this.root.children]) dispose(part);
    this.frames = things.map((thing) => {
      const frame = new THREE.Group();
      const look: SolidLook = { link: 0, kind: thing.kind as SolidLook["kind"], size: thing.size, pose: new THREE.Matrix4().toArray(), colour: [] };
      frame.matrixAutoUpdate = false;
      if (thing.pose) frame.matrix.fromArray(thing.pose);
      frame.add(solidMesh(look, new THREE.MeshStandardMaterial({ color: colourOf(thing.colour, colour), roughness: 0.85 })));
      this.root.add(frame);
      return frame;
    });
  }

  update(motion: Motion, t: number): void {
    this.shown.forEach((thing, i) => {
      const table = thing.poses ? motion.table(thing.poses) : null;
      if (!table) return;
      matrixOf(motion.sample(table, t, new Float32Array(table.stride)), 0, this.frames[i]!.matrix);
      this.frames[i]!.matrixWorldNeedsUpdate = true;
    });
  }
}
