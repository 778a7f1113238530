// The camera, and a picture of the figure at a time.

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
