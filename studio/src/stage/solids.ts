// Shapes of links. Shapes of one kind share a scaled geometry where possible.

import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { type SolidLook, unpack } from "../motion";

const BALL = new THREE.SphereGeometry(1, 40, 28);
const POST = new THREE.CylinderGeometry(1, 1, 1, 40).rotateX(Math.PI / 2); // along z

/** Creates the mesh of a solid in the link's frame. The caller adds it to the group of the link. */
export function solidMesh(look: SolidLook, material: THREE.Material): THREE.Mesh {
  const mesh = new THREE.Mesh(geometryOf(look), material);
  const inner = new THREE.Matrix4().fromArray(look.pose);
  mesh.matrixAutoUpdate = false;
  const [a = 0.05, b = a, c = a] = look.size;
  if (look.kind === "ball") inner.scale(new THREE.Vector3(a, b, c));
  if (look.kind === "cylinder") inner.scale(new THREE.Vector3(a, a, b));
  mesh.matrix.copy(inner);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function geometryOf({ kind, size, mesh }: SolidLook): THREE.BufferGeometry {
  const [a = 0.05, b = a, c = a] = size;
  if (kind === "ball") return BALL;
  if (kind === "cylinder") return POST;
  if (kind === "box") return new RoundedBoxGeometry(a, b, c, 3, 0.12 * Math.min(a, b, c));
  if (kind === "capsule") return new THREE.CapsuleGeometry(a, b, 12, 32).rotateX(Math.PI / 2);
  const geometry = new THREE.BufferGeometry();
  if (!mesh) return geometry;
  geometry.setAttribute("position", new THREE.BufferAttribute(unpack(mesh.positions), 3));
  if (mesh.indices) geometry.setIndex(new THREE.BufferAttribute(unpack(mesh.indices), 1));
  if (mesh.normals) geometry.setAttribute("normal", new THREE.BufferAttribute(unpack(mesh.normals), 3));
  else geometry.computeVertexNormals();
  return geometry;
}

/** Converts sRGB values (0 … 1) to a colour. */
export function colourOf(rgb: readonly number[] | null | undefined, otherwise = "#c9d0da"): THREE.Color {
  const colour = new THREE.Color(otherwise);
  return rgb && rgb.length >= 3 ? colour.setRGB(rgb[0]!, rgb[1]!, rgb[2]!, THREE.SRGBColorSpace) : colour;
}

/** Frees the graphics memory of a part of the scene, except the shared geometries. */
export function dispose(root: THREE.Object3D): void {
  root.traverse((object) => {
    const { geometry, material } = object as Partial<THREE.Mesh>;
    if (geometry && geometry !== BALL && geometry !== POST) geometry.dispose();
    for (const one of Array.isArray(material) ? material : [material]) one?.dispose();
  });
  root.removeFromParent();
}
