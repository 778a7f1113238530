// Labels on the ground that tell the distance along x, in metres.

import * as THREE from "three";

const AROUND = 6; // number of labels on each side of the middle
const WIDE = 128, TALL = 64; // [pixels] of a label

/** Returns the distance [m] between two labels, seen from a distance [m]. */
const stepOf = (distance: number) => (distance > 60 ? 25 : distance > 14 ? 5 : 1);

export class ScaleView {
  readonly root = new THREE.Group();
  private readonly sheet = new THREE.PlaneGeometry(2, 1);
  private readonly marks = new Map<number, THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial>>();
  private key = "";

  constructor(private colour: string) {}

  paint(colour: string): void {
    if (colour === this.colour) return;
    this.colour = colour;
    this.clear();
  }

  /** Keeps the labels around a point x [m] of the ground at a height z [m]. They are read from the side of the camera. */
  centre(x: number, z: number, distance: number, fromLeft: boolean, shown: boolean): void {
    const step = stepOf(distance), middle = Math.round(x / step), key = `${step} ${middle} ${z} ${fromLeft} ${shown}`;
    this.root.visible = shown;
    if (key === this.key || !shown) return;
    this.key = key;
    const wanted = new Set(Array.from({ length: 2 * AROUND + 1 }, (_, k) => (middle + k - AROUND) * step));
    for (const [at, mark] of this.marks) if (!wanted.has(at) || mark.userData["step"] !== step) this.remove(at, mark);
    for (const at of wanted) {
      const mark = this.marks.get(at) ?? this.add(at, step);
      mark.position.set(at, (fromLeft ? 1 : -1) * (0.5 + 0.1 * step ** 0.8), z + 0.002);
      mark.rotation.z = fromLeft ? Math.PI : 0;
    }
  }

  private add(at: number, step: number): THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial> {
    const canvas = document.createElement("canvas");
    canvas.width = WIDE;
    canvas.height = TALL;
    const pen = canvas.getContext("2d")!;
    pen.fillStyle = this.colour;
    pen.font = `600 ${0.62 * TALL}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(`${at} m`.replace("-", "−"), WIDE / 2, TALL / 2);
    const map = new THREE.CanvasTexture(canvas);
    map.colorSpace = THREE.SRGBColorSpace;
    map.anisotropy = 8;
    const mark = new THREE.Mesh(this.sheet, new THREE.MeshBasicMaterial({ map, transparent: true, depthWrite: false, toneMapped: false }));
    mark.scale.setScalar(0.17 * step ** 0.8);
    mark.renderOrder = -1;
    mark.userData = { step };
    this.marks.set(at, mark);
    this.root.add(mark);
    return mark;
  }

  private remove(at: number, mark: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial>): void {
    mark.material.map?.dispose();
    mark.material.dispose();
    mark.removeFromParent();
    this.marks.delete(at);
  }

  private clear(): void {
    for (const [at, mark] of this.marks) this.remove(at, mark);
    this.key = "";
  }
}
