// The sky: a gradient from the horizon up. Below the horizon it has the colour of the haze into which the ground fades.

import * as THREE from "three";
import type { Palette } from "./palette";

const VERTEX = `
varying vec3 toward;
void main() {
  toward = position;
  vec4 at = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0);
  gl_Position = at.xyww; // infinitely far away
}`;
const FRAGMENT = `
varying vec3 toward;
uniform vec3 haze, top, glow;
void main() {
  float up = normalize(toward).z;
  vec3 colour = mix(haze, top, smoothstep(0.0, 0.4, up));
  colour = mix(colour, glow, 0.55 * exp(-14.0 * abs(up)));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;

export class Sky {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;

  constructor() {
    const uniforms = { haze: { value: new THREE.Color() }, top: { value: new THREE.Color() }, glow: { value: new THREE.Color() } };
    this.mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 24), new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms, side: THREE.BackSide, depthWrite: false, depthTest: false }));
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  paint({ sky: [haze, top, glow] }: Palette): void {
    const { uniforms } = this.mesh.material;
    (uniforms["haze"]!.value as THREE.Color).set(haze);
    (uniforms["top"]!.value as THREE.Color).set(top);
    (uniforms["glow"]!.value as THREE.Color).set(glow);
  }
}
