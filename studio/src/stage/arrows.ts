// Arrows, drawn from points and vectors. All arrows of a kind share one mesh of shafts and one mesh of heads.

import * as THREE from "three";

const SHAFT = new THREE.CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const HEAD = new THREE.ConeGeometry(1, 1, 22).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const UP = new THREE.Vector3(0, 0, 1);

export class Arrows {
  readonly root = new THREE.Group();
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;
  private readonly material: THREE.MeshStandardMaterial;
  private count = 0;

  constructor(private readonly most: number, colour: string, private readonly width = 0.011) {
    this.material = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.4, emissive: colour, emissiveIntensity: 0.45, depthTest: false, transparent: true, opacity: 0.95 });
    this.shafts = new THREE.InstancedMesh(SHAFT, this.material, most);
    this.heads = new THREE.InstancedMesh(HEAD, this.material, most);
    for (const part of [this.shafts, this.heads]) {
      part.frustumCulled = false;
      part.count = 0;
      part.renderOrder = 5;
      this.root.add(part);
    }
  }

  paint(colour: string): void {
    this.material.color.set(colour);
    this.material.emissive.set(colour);
  }

  clear(): void {
    this.count = this.shafts.count = this.heads.count = 0;
  }

  /** Adds an arrow from a point along a vector [m]; very short arrows are left out. */
  add(from: THREE.Vector3, along: THREE.Vector3): void {
    const length = along.length(), head = Math.min(5.2 * this.width, 0.45 * length);
    if (this.count >= this.most || length < 2.5 * this.width) return;
    const direction = along.clone().divideScalar(length), turn = new THREE.Quaternion().setFromUnitVectors(UP, direction);
    const matrix = new THREE.Matrix4();
    this.shafts.setMatrixAt(this.count, matrix.compose(from, turn, new THREE.Vector3(this.width, this.width, length - head)));
    this.heads.setMatrixAt(this.count, matrix.compose(from.clone().addScaledVector(direction, length - head), turn, new THREE.Vector3(2.5 * this.width, 2.5 * this.width, head)));
    this.shafts.count = this.heads.count = ++this.count;
    this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
  }
}
