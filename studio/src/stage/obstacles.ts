// Obstacles, fixed or moving.

import * as THREE from "three";
import type { Motion, SolidLook, ObstacleLook } from "../motion";
import { matrixOf } from "./figure";
import { colourOf, dispose, solidMesh } from "./solids";

export class Obstacles {
  readonly root = new THREE.Group();
  private shown: readonly ObstacleLook[] = [];
  private frames: THREE.Group[] = [];

  show(obstacles: readonly ObstacleLook[], colour: string): void {
    if (obstacles === this.shown) return;
    this.shown = obstacles;
    for (const part of [...this.root.children]) dispose(part);
    this.frames = obstacles.map((obstacle) => {
      const frame = new THREE.Group();
      const look: SolidLook = { link: 0, kind: obstacle.kind as SolidLook["kind"], size: obstacle.size, pose: new THREE.Matrix4().toArray(), colour: [] };
      frame.matrixAutoUpdate = false;
      if (obstacle.pose) frame.matrix.fromArray(obstacle.pose);
      frame.add(solidMesh(look, new THREE.MeshStandardMaterial({ color: colourOf(obstacle.colour, colour), roughness: 0.85 })));
      this.root.add(frame);
      return frame;
    });
  }

  update(motion: Motion, t: number): void {
    this.shown.forEach((obstacle, i) => {
      const table = obstacle.poses ? motion.table(obstacle.poses) : null;
      if (!table) return;
      matrixOf(motion.sample(table, t, new Float32Array(table.stride)), 0, this.frames[i]!.matrix);
      this.frames[i]!.matrixWorldNeedsUpdate = true;
    });
  }
}
