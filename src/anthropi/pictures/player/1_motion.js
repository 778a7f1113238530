"use strict";
// A motion of a figure, played in a canvas: plain WebGL 2, no library, and nothing is fetched. The scripts of this
// folder become one, in the order of their names. Metres, z up; matrices are columns one after another, as WebGL takes them.
//
// Here: what the page was given. Poses of the links at even times, solids fixed to links.

const given = JSON.parse(document.getElementById("motion").textContent);
const poses = floats(given.poses); // frames × links × (px py pz, w x y z)
const path = floats(given.path); // frames × 3: the centre of mass
const forces = floats(given.forces ?? ""); // frames × arrows × (point, arrow)
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

// The arrows of forces at a time: rods with a knob at the end, as solids. What is shorter than a finger is left out.
function arrowsAt(t) {
  const [k, s] = place(t), next = Math.min(k + 1, frames - 1), found = [];
  for (let i = 0; i < (given.arrows ?? 0); i++) {
    const a = forces.subarray((k * given.arrows + i) * 6), b = forces.subarray((next * given.arrows + i) * 6);
    const mix = Array.from({ length: 6 }, (_, j) => (1 - s) * a[j] + s * b[j]);
    const from = mix.slice(0, 3), arrow = mix.slice(3), long = Math.hypot(...arrow), thin = 0.006 * given.size;
    if (long < 8 * thin) continue;
    const z = unit(arrow), x = unit(cross(Math.abs(z[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], z)), y = cross(z, x);
    const turn = [...x, 0, ...y, 0, ...z, 0], look = { reach: 0, colour: [0.2, 0.62, 0.4] }, knob = 2 * thin;
    const rod = [...turn, ...plus(from, 0.5, arrow), 1], end = [...turn, ...plus(from, 1, arrow), 1];
    found.push({ ...look, kind: "cylinder", size: [thin, thin, long / 2], pose: rod });
    found.push({ ...look, kind: "ball", size: [knob, knob, knob], pose: end });
  }
  return found;
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

// Vectors and matrices

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
