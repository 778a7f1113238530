// The skin of a body: a triangle mesh. Each vertex follows up to four links.

import * as THREE from "three";
import { type Packed, type SkinLook, unpack } from "../motion";

/** Creates the mesh and its bones. The bones are the frames of the links in the world. */
export function skinMesh(look: SkinLook, links: number, colour: THREE.Color): { mesh: THREE.SkinnedMesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>; bones: THREE.Bone[] } {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positionsOf(look), 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(Int8Array.from(unpack(look.normals), (n) => n - 128), 3, true));
  geometry.setAttribute("skinIndex", new THREE.BufferAttribute(Uint16Array.from(unpack(look.joints)), 4));
  geometry.setAttribute("skinWeight", weightsOf(look.weights));
  geometry.setIndex(new THREE.BufferAttribute(unpack(look.indices), 1));
  const coloured = look.colours ? unpack(look.colours) : null;
  if (coloured) geometry.setAttribute("color", new THREE.BufferAttribute(linear(coloured), 3));
  const material = new THREE.MeshStandardMaterial({ color: coloured ? 0xffffff : colour, vertexColors: !!coloured, roughness: 0.62, metalness: 0 });
  const mesh = new THREE.SkinnedMesh(geometry, material);
  const bones = Array.from({ length: links }, () => new THREE.Bone());
  for (const bone of bones) bone.matrixAutoUpdate = false;
  mesh.bind(new THREE.Skeleton(bones, inverses(look.bind, links)), new THREE.Matrix4());
  mesh.castShadow = mesh.receiveShadow = true;
  mesh.frustumCulled = false;
  return { mesh, bones };
}

/** Returns the positions [m], which are stored in 65535ths of a box. */
function positionsOf({ positions, box: [low, span] }: SkinLook): Float32Array {
  return Float32Array.from(unpack(positions), (x, i) => low[i % 3]! + (x * span[i % 3]!) / 65535);
}

function weightsOf(packed: Packed): THREE.BufferAttribute {
  const raw = unpack(packed);
  return new THREE.BufferAttribute(raw, 4, !(raw instanceof Float32Array));
}

/** Converts sRGB colours to the linear colours that three.js uses. */
function linear(colours: ArrayLike<number>): Float32Array {
  const whole = !(colours instanceof Float32Array), out = new Float32Array(colours.length), one = new THREE.Color();
  for (let i = 0; i < colours.length; i += 3) {
    const scale = whole ? 1 / 255 : 1;
    one.setRGB(colours[i]! * scale, colours[i + 1]! * scale, colours[i + 2]! * scale, THREE.SRGBColorSpace).toArray(out, i);
  }
  return out;
}

/** Colours each vertex by the links with which it moves; a fifth of its own colour remains, so that the face is seen. */
export function paintSegments(geometry: THREE.BufferGeometry, colours: THREE.Color[]): void {
  const joints = geometry.getAttribute("skinIndex"), weights = geometry.getAttribute("skinWeight"), before = geometry.getAttribute("color");
  const out = new Float32Array(3 * joints.count), one = new THREE.Color(), own = new THREE.Color();
  for (let i = 0; i < joints.count; i++) {
    const shares = [0, 1, 2, 3].map((k) => weights.getComponent(i, k) ** 4), whole = shares.reduce((sum, x) => sum + x, 1e-9);
    one.setRGB(0, 0, 0);
    shares.forEach((share, k) => share && one.add(own.copy(colours[joints.getComponent(i, k)]!).multiplyScalar(share / whole)));
    if (before) one.lerp(own.fromBufferAttribute(before as THREE.BufferAttribute, i), 0.2);
    one.toArray(out, 3 * i);
  }
  geometry.setAttribute("color", new THREE.BufferAttribute(out, 3));
}

function inverses(bind: SkinLook["bind"], links: number): THREE.Matrix4[] {
  const rows = rowsOf(bind, links);
  return Array.from({ length: links }, (_, i) => {
    const row = rows[i], matrix = new THREE.Matrix4();
    if (row?.length === 16) matrix.fromArray(row);
    else if (row) matrix.compose(new THREE.Vector3(row[0], row[1], row[2]), new THREE.Quaternion(row[4], row[5], row[6], row[3]), new THREE.Vector3(1, 1, 1));
    return matrix.invert();
  });
}

function rowsOf(bind: SkinLook["bind"], links: number): number[][] {
  if (!bind) return [];
  if (Array.isArray(bind)) return bind;
  const all = Array.from(unpack(bind)), wide = all.length / links;
  return Array.from({ length: links }, (_, i) => all.slice(i * wide, (i + 1) * wide));
}
