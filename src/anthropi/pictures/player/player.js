"use strict";
// A motion of a figure, played in a canvas: plain WebGL 2, no library, and nothing is fetched.
// Metres, z up. Matrices are columns one after another, as WebGL takes them.

// 1. The motion: poses of the links at even times, solids fixed to links ----------------------------------------------

const given = JSON.parse(document.getElementById("motion").textContent);
const poses = floats(given.poses); // frames × links × (px py pz, w x y z)
const path = floats(given.path); // frames × 3: the centre of mass
const links = given.links, frames = path.length / 3;
const span = (frames - 1) * given.dt; // [s]

function floats(text) {
  return new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
}

// The frame at or before a time, and how far it is to the next.
function place(t) {
  const x = Math.min(Math.max(t / given.dt, 0), frames - 1);
  const k = Math.min(Math.floor(x), Math.max(frames - 2, 0));
  return [k, x - k];
}

function centreAt(t) {
  const [k, s] = place(t), next = Math.min(k + 1, frames - 1);
  return [0, 1, 2].map((i) => (1 - s) * path[3 * k + i] + s * path[3 * next + i]);
}

// The pose of a link: places on a line between two frames, turns on the shorter arc.
function poseAt(t, link) {
  const [k, s] = place(t), next = Math.min(k + 1, frames - 1);
  const a = poses.subarray((k * links + link) * 7), b = poses.subarray((next * links + link) * 7);
  const near = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6] < 0 ? -1 : 1;
  const mix = [];
  for (let i = 0; i < 7; i++) mix.push((1 - s) * a[i] + s * (i < 3 ? 1 : near) * b[i]);
  const size = Math.hypot(mix[3], mix[4], mix[5], mix[6]);
  const [w, x, y, z] = mix.slice(3).map((c) => c / size);
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
    2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
    2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0,
    mix[0], mix[1], mix[2], 1,
  ];
}

// 2. Vectors and matrices ---------------------------------------------------------------------------------------------

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, s, b) => a.map((x, i) => x + s * b[i]);
const unit = (a) => a.map((x) => x / Math.hypot(...a));

function times(a, b) {
  const c = new Array(16).fill(0);
  for (let j = 0; j < 4; j++)
    for (let i = 0; i < 4; i++) for (let k = 0; k < 4; k++) c[4 * j + i] += a[4 * k + i] * b[4 * j + k];
  return c;
}

// 3. Meshes: triangles with a normal, and the end (±1) of a capsule they belong to ------------------------------------

function grid(rows, columns, at) {
  const vertices = [], corners = [];
  for (let i = 0; i <= rows; i++) for (let j = 0; j <= columns; j++) vertices.push(...at(i, j));
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      const a = i * (columns + 1) + j, b = a + columns + 1;
      corners.push(a, b, a + 1, a + 1, b, b + 1);
    }
  return { vertices, corners };
}

function joined(parts) {
  const whole = { vertices: [], corners: [] };
  for (const part of parts) {
    const first = whole.vertices.length / 7;
    whole.vertices.push(...part.vertices);
    whole.corners.push(...part.corners.map((c) => c + first));
  }
  return whole;
}

const ROUND = 40;
const ring = (j) => [Math.cos((2 * Math.PI * j) / ROUND), Math.sin((2 * Math.PI * j) / ROUND)];

function ball() { // sphere, ellipsoid and, with its halves drawn apart, capsule
  return grid(25, ROUND, (i, j) => {
    const down = (Math.PI * (i > 12 ? i - 1 : i)) / 24, [c, s] = ring(j); // the equator twice
    const n = [Math.sin(down) * c, Math.sin(down) * s, Math.cos(down)];
    return [...n, ...n, i > 12 ? -1 : 1];
  });
}

function cylinder() {
  const side = grid(1, ROUND, (i, j) => [...ring(j), 1 - 2 * i, ...ring(j), 0, 0]);
  const lid = (z) => grid(1, ROUND, (i, j) => [...ring(z * j).map((c) => c * i), z, 0, 0, z, 0]);
  return joined([side, lid(1), lid(-1)]);
}

function box() {
  const faces = [];
  for (let axis = 0; axis < 3; axis++)
    for (const sign of [1, -1])
      faces.push(grid(1, 1, (i, j) => {
        const n = [0, 0, 0], p = [0, 0, 0];
        n[axis] = p[axis] = sign;
        p[(axis + 1) % 3] = 2 * i - 1;
        p[(axis + 2) % 3] = sign * (2 * j - 1);
        return [...p, ...n, 0];
      }));
  return joined(faces);
}

// 4. Programs ---------------------------------------------------------------------------------------------------------

const LIGHT = unit([0.22, 0.18, 1.0]); // towards the light that throws the shadow
const SOLID = `#version 300 es
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 across;
layout(location = 2) in float end;
uniform mat4 camera, pose;
uniform vec3 size, light;
uniform float reach, grow; // half a capsule's length; by how much the outline is larger
uniform vec3 shadow; // x, y, radius of the ground that catches it; radius 0 draws the solid itself
out vec3 normal;
void main() {
  normal = normalize(mat3(pose) * (across / size));
  vec3 at = (pose * vec4(corner * size + vec3(0, 0, end * reach), 1)).xyz + grow * normal;
  vec2 below = at.xy - at.z * light.xy / light.z;
  gl_Position = shadow.z > 0.0 ? vec4((below - shadow.xy) / shadow.z, 0, 1) : camera * vec4(at, 1);
}`;
const SHADE = `#version 300 es
precision highp float;
in vec3 normal;
uniform vec3 colour, toward, key; // toward: from the figure to the eye
uniform float grow;
out vec4 pixel;
void main() {
  vec3 n = normalize(normal);
  float lit = max(dot(n, key), 0.0), facing = max(dot(n, toward), 0.0);
  float shine = pow(max(dot(n, normalize(key + toward)), 0.0), 28.0);
  float bright = 0.50 + 0.20 * (0.5 + 0.5 * n.z) + 0.46 * lit;
  vec3 shade = colour * bright * (0.76 + 0.24 * sqrt(facing)) + (1.0 - lit) * vec3(-0.015, -0.005, 0.03) + 0.13 * shine;
  pixel = vec4(grow > 0.0 ? 0.45 * colour * colour : shade, 1);
}`;
const PLANE = `#version 300 es
layout(location = 0) in vec3 corner;
uniform mat4 camera;
uniform vec3 floor_; // x, y, radius
out vec2 at;
void main() {
  at = floor_.xy + floor_.z * corner.xy;
  gl_Position = camera * vec4(at, 0, 1);
}`;
const GROUND = `#version 300 es
precision highp float;
in vec2 at;
uniform vec3 floor_, shadow, ground, line;
uniform float cell, blur;
uniform sampler2D mask;
out vec4 pixel;
float lines(vec2 p) {
  vec2 wide = fwidth(p), near = abs(fract(p - 0.5) - 0.5) / wide;
  vec2 seen = clamp(1.3 - near, 0.0, 1.0) * clamp(1.4 - 3.0 * wide, 0.0, 1.0);
  return max(seen.x, seen.y);
}
void main() {
  float away = length(at - floor_.xy) / floor_.z;
  float alpha = 1.0 - smoothstep(0.35, 1.0, away);
  vec2 spot = 0.5 + 0.5 * (at - shadow.xy) / shadow.z;
  float dark = 0.0, step = exp2(blur) / 1024.0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      dark += textureLod(mask, spot + step * vec2(i, j), blur).r / (abs(float(i * j)) * 4.0 + 8.0 + float(i == 0 && j == 0) * 0.0);
  vec3 colour = mix(ground, line, 0.45 * lines(at / cell) + 0.55 * lines(at / cell / 4.0));
  colour *= 1.0 - 0.45 * clamp(dark, 0.0, 1.0) * vec3(1.0, 0.94, 0.84);
  pixel = vec4(colour, 1) * alpha;
}`;
const TRACE = `#version 300 es
layout(location = 0) in vec3 corner;
uniform mat4 camera;
uniform float now;
out float past;
void main() {
  past = step(float(gl_VertexID), now);
  gl_Position = camera * vec4(corner, 1);
}`;
const INK = `#version 300 es
precision highp float;
in float past;
uniform vec3 colour;
out vec4 pixel;
void main() { pixel = vec4(colour, 1) * mix(0.35, 0.95, past); }`;
