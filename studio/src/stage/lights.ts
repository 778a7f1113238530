// Lights: soft light from sky and ground, a warm key light that casts the shadow, and a cool light from behind for the outline.

import * as THREE from "three";
import type { Palette } from "./palette";

const FROM = new THREE.Vector3(0.55, -0.62, 1.5).normalize(); // direction of the key light

export class Lights {
  readonly root = new THREE.Group();
  private readonly key = new THREE.DirectionalLight();
  private readonly rim = new THREE.DirectionalLight();
  private readonly sky = new THREE.HemisphereLight();

  constructor() {
    this.sky.position.set(0, 0, 1);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(2048, 2048);
    this.key.shadow.bias = -0.0004;
    this.key.shadow.normalBias = 0.012;
    this.key.shadow.radius = 5;
    this.root.add(this.sky, this.key, this.key.target, this.rim, this.rim.target);
  }

  /** Uses a coarser shadow, for machines without a graphics card. */
  coarse(): void {
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 3;
  }

  paint(palette: Palette, shadows: boolean): void {
    this.key.color.set(palette.key[0]);
    this.key.intensity = palette.key[1];
    this.key.castShadow = shadows;
    this.rim.color.set(palette.rim[0]);
    this.rim.intensity = palette.rim[1];
    this.sky.color.set(palette.fill[0]);
    this.sky.groundColor.set(palette.fill[1]);
    this.sky.intensity = palette.fill[2];
  }

  /** Centres lights and shadow on a point, within a radius [m]. */
  follow(centre: THREE.Vector3, radius: number): void {
    const at = new THREE.Vector3(Math.round(centre.x * 20) / 20, Math.round(centre.y * 20) / 20, Math.max(0.5 * radius, Math.round((centre.z - 0.3 * radius) * 4) / 4));
    this.key.target.position.copy(at);
    this.key.position.copy(at).addScaledVector(FROM, 6 * radius);
    this.rim.target.position.copy(at);
    this.rim.position.copy(at).add(new THREE.Vector3(-3, 3.4, 2.2).multiplyScalar(radius));
    const lens = this.key.shadow.camera, half = 1.7 * radius;
    if (lens.right !== half) {
      lens.left = lens.bottom = -half;
      lens.right = lens.top = half;
      lens.near = 0.5 * radius;
      lens.far = 12 * radius;
      lens.updateProjectionMatrix();
    }
  }
}
