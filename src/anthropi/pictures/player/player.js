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
      dark += textureLod(mask, spot + step * vec2(i, j), blur).r * exp2(-2.0 - float(abs(i) + abs(j)));
  vec3 colour = mix(ground, line, 0.45 * lines(at / cell) + 0.55 * lines(at / cell / 4.0));
  colour *= 1.0 - 0.45 * clamp(dark, 0.0, 1.0) * vec3(1.0, 0.94, 0.84);
  pixel = vec4(colour, 1) * alpha;
}`;

const canvas = document.getElementById("view");
const gl = canvas.getContext("webgl2", { antialias: true });
if (!gl) {
  const sorry = document.createElement("p");
  sorry.className = "sorry";
  sorry.textContent = "This page draws with WebGL 2, which this browser does not offer.";
  document.body.append(sorry);
  throw new Error(sorry.textContent);
}

function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  const places = {};
  return {
    use: () => gl.useProgram(made),
    set(values) { // numbers, vectors of three, matrices of sixteen
      for (const [name, value] of Object.entries(values)) {
        const at = (places[name] ??= gl.getUniformLocation(made, name));
        if (typeof value === "number") gl.uniform1f(at, value);
        else if (value.length === 3) gl.uniform3fv(at, value);
        else gl.uniformMatrix4fv(at, false, value);
      }
    },
  };
}

function loaded({ vertices, corners }) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(corners), gl.STATIC_DRAW);
  for (const [i, size, start] of [[0, 3, 0], [1, 3, 12], [2, 1, 24]]) {
    gl.enableVertexAttribArray(i);
    gl.vertexAttribPointer(i, size, gl.FLOAT, false, 28, start);
  }
  return () => {
    gl.bindVertexArray(array);
    gl.drawElements(gl.TRIANGLES, corners.length, gl.UNSIGNED_SHORT, 0);
  };
}

const solid = program(SOLID, SHADE), plane = program(PLANE, GROUND);
const meshes = { ball: loaded(ball()), cylinder: loaded(cylinder()), box: loaded(box()) };
const sheet = loaded(grid(1, 1, (i, j) => [2 * i - 1, 2 * j - 1, 0, 0, 0, 1, 0]));

const MASK = 1024; // pixels of the shadow, each way
const mask = gl.createTexture();
gl.bindTexture(gl.TEXTURE_2D, mask);
gl.texStorage2D(gl.TEXTURE_2D, 11, gl.RGBA8, MASK, MASK);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
const behind = gl.createFramebuffer();
gl.bindFramebuffer(gl.FRAMEBUFFER, behind);
gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, mask, 0);

// 5. The camera -------------------------------------------------------------------------------------------------------

const dark = matchMedia("(prefers-color-scheme: dark)");
const OPENING = 0.24; // half the angle of view [rad]
const whole = bounds();
const eye = { ...given.view, near: 1, shift: [0, 0, 0], follow: true };

function bounds() { // middle and radius of all places the figure comes to
  const low = [Infinity, Infinity, Infinity], high = low.map((x) => -x);
  for (let k = 0; k < path.length; k++) {
    low[k % 3] = Math.min(low[k % 3], path[k]);
    high[k % 3] = Math.max(high[k % 3], path[k]);
  }
  const middle = plus(low, 1, high).map((x) => x / 2);
  return { middle, radius: Math.hypot(...plus(high, -1, middle)) + 0.55 * given.size };
}

function camera(t) {
  const { azimuth: a, elevation: e } = eye;
  const toward = [Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e)];
  const right = [-Math.sin(a), Math.cos(a), 0], up = cross(toward, right);
  const wide = canvas.width / canvas.height, radius = eye.follow ? 0.85 * given.size : whole.radius;
  const far = (eye.near * radius) / Math.sin(OPENING) / Math.min(1, eye.follow ? wide : 0.6 * wide);
  const target = plus(eye.follow ? centreAt(t) : whole.middle, 1, eye.shift);
  const from = plus(target, far, toward);
  const world = [
    right[0], up[0], toward[0], 0, right[1], up[1], toward[1], 0, right[2], up[2], toward[2], 0,
    -dot(right, from), -dot(up, from), -dot(toward, from), 1,
  ];
  const f = 1 / Math.tan(OPENING), n = 0.02 * far, m = 20 * far;
  const lens = [f / wide, 0, 0, 0, 0, f, 0, 0, 0, 0, (n + m) / (n - m), -1, 0, 0, (2 * n * m) / (n - m), 0];
  const key = unit(plus(plus(right.map((x) => 0.55 * x), 0.95, up), 0.42, toward));
  return { matrix: times(lens, world), toward, right, up, key, far };
}

// 6. Drawing ----------------------------------------------------------------------------------------------------------

const still = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const beads = Math.min(frames, Math.max(2, Math.round(span / 0.05) + 1));

function solids(t) { // each with its pose at a time
  const at = Array.from({ length: links }, (_, i) => poseAt(t, i));
  return given.solids.map((s) => ({ ...s, pose: times(at[s.link], s.pose) }));
}

function all(items, grow = 0) {
  for (const item of items) {
    solid.set({ pose: item.pose, size: item.size, reach: item.reach, colour: item.colour, grow });
    meshes[item.kind]();
  }
}

function draw(t) {
  const seen = camera(t), now = solids(t), centre = centreAt(t);
  const below = [0, 1].map((i) => centre[i] - (centre[2] * LIGHT[i]) / LIGHT[2]);
  const shadow = [...below, 0.9 * given.size], none = [0, 0, 0];
  if (given.ground) {
    gl.bindFramebuffer(gl.FRAMEBUFFER, behind);
    gl.viewport(0, 0, MASK, MASK);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.CULL_FACE);
    gl.disable(gl.BLEND);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    solid.use();
    solid.set({ shadow, light: LIGHT });
    all(now.map((s) => ({ ...s, colour: [9, 9, 9] })));
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  if (given.ground) {
    plane.use();
    const middle = eye.follow ? centre : whole.middle, radius = 2.2 * seen.far * Math.sin(OPENING) + 2 * given.size;
    plane.set({ camera: seen.matrix, floor_: [middle[0], middle[1], radius], shadow, cell: given.cell,
      blur: 2 + Math.min(Math.max(centre[2] / given.size, 0), 3),
      ground: dark.matches ? [0.125, 0.15, 0.19] : [0.945, 0.953, 0.968],
      line: dark.matches ? [0.24, 0.28, 0.34] : [0.8, 0.825, 0.865] });
    sheet();
  }
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.CULL_FACE);
  solid.use();
  solid.set({ camera: seen.matrix, toward: seen.toward, key: seen.key, shadow: none });
  all(string(t));
  gl.cullFace(gl.FRONT);
  all(now, 0.0022 * seen.far * OPENING);
  gl.cullFace(gl.BACK);
  all(now);
}

function string(t) { // beads on the way of the centre of mass; those still to come are pale
  const size = new Array(3).fill(0.007 * given.size), ahead = dark.matches ? [0.3, 0.34, 0.41] : [0.8, 0.83, 0.88];
  return Array.from({ length: beads }, (_, i) => {
    const when = (span * i) / (beads - 1), pose = [...still];
    [pose[12], pose[13], pose[14]] = centreAt(when);
    return { kind: "ball", size, reach: 0, pose, colour: when <= t ? [0.93, 0.7, 0.34] : ahead };
  });
}

// 7. Controls ---------------------------------------------------------------------------------------------------------

const [play, bar, clock, speed, follow] = ["play", "bar", "clock", "speed", "follow"].map((id) => document.getElementById(id));
const asked = new URLSearchParams(location.hash.slice(1)); // #t=0.5 opens the page there, standing still
let time = Number(asked.get("t")) || 0, last = 0, rest = 0;
let running = !asked.has("t") && !matchMedia("(prefers-reduced-motion: reduce)").matches && frames > 1;

function run(yes) {
  running = yes && frames > 1;
  if (running && time >= span) time = 0;
  show();
}

function show() {
  play.textContent = running ? "❚❚" : "▶";
  bar.value = time;
  clock.textContent = `${(given.start + time).toFixed(2)} s of ${(given.start + span).toFixed(2)} s`;
  follow.setAttribute("aria-pressed", eye.follow);
}

function seek(t) {
  time = Math.min(Math.max(t, 0), span);
  show();
}

function tick(stamp) {
  const passed = Math.min((stamp - last) / 1000, 0.1);
  last = stamp;
  if (running && time >= span && (rest += passed) > 0.8) { // a moment at the end, then again
    seek(0);
    rest = 0;
  } else if (running) {
    seek(time + passed * Number(speed.value));
  }
  const wanted = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.max(1, Math.round(x * devicePixelRatio)));
  if (canvas.width !== wanted[0] || canvas.height !== wanted[1]) [canvas.width, canvas.height] = wanted;
  draw(time);
  requestAnimationFrame(tick);
}

const held = new Map(); // pointers on the canvas: one turns, two (or with shift) move and come nearer
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  held.set(event.pointerId, event);
});
for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => held.delete(event.pointerId));
canvas.addEventListener("pointermove", (event) => {
  const before = held.get(event.pointerId);
  if (!before) return;
  const dx = event.clientX - before.clientX, dy = event.clientY - before.clientY;
  if (held.size === 2) {
    const other = [...held.values()].find((p) => p.pointerId !== event.pointerId);
    const gap = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY);
    nearer(gap(before) / Math.max(gap(event), 1));
  } else if (event.shiftKey || event.buttons === 2) {
    const { right, up, far } = camera(time), metres = (2 * far * Math.tan(OPENING)) / canvas.clientHeight;
    eye.shift = plus(plus(eye.shift, -dx * metres, right), dy * metres, up);
  } else {
    eye.azimuth -= 0.008 * dx;
    eye.elevation = Math.min(Math.max(eye.elevation + 0.008 * dy, -1.5), 1.5);
  }
  held.set(event.pointerId, event);
});
const nearer = (factor) => { eye.near = Math.min(Math.max(eye.near * factor, 0.15), 8); };
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  nearer(Math.exp(0.0012 * event.deltaY));
}, { passive: false });
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("dblclick", () => Object.assign(eye, given.view, { near: 1, shift: [0, 0, 0] }));

play.addEventListener("click", () => run(!running));
bar.addEventListener("input", () => { running = false; seek(Number(bar.value)); });
follow.addEventListener("click", () => { eye.follow = !eye.follow; eye.shift = [0, 0, 0]; show(); });
addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -given.dt, ArrowRight: given.dt }[event.key];
  if (event.target === speed || (event.target.tagName === "BUTTON" && event.key === " ")) return;
  if (event.key === " ") run(!running);
  else if (event.key === "f") follow.click();
  else if (step) { running = false; seek(time + step); }
  else if (event.key === "Home") seek(0);
  else if (event.key === "End") seek(span);
  else return;
  event.preventDefault();
});

bar.max = span;
speed.value = String(given.speed);
seek(time);
requestAnimationFrame(tick);
