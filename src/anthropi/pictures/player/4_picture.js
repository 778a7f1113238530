// The camera, and a picture of the figure at a time.

const OPENING = 0.24; // half the angle of view, up and down [rad]
const dark = matchMedia("(prefers-color-scheme: dark)");
const start = { ...given.view, near: 1, shift: [0, 0, 0] };
const eye = { ...start, follow: given.follow };
const middle = [0, 1, 2].map((i) => {
  const line = path.filter((_, k) => k % 3 === i);
  return (Math.min(...line) + Math.max(...line)) / 2;
});
let way = 0; // [m] of the centre of mass
for (let k = 3; k < path.length; k += 3) way += Math.hypot(...[0, 1, 2].map((i) => path[k + i] - path[k + i - 3]));
const ghosts = Math.min(8, 1 + Math.floor(way / (0.45 * given.size))); // pale figures along the way

function camera(t) {
  const { azimuth: a, elevation: e } = eye, wide = canvas.width / canvas.height;
  const toward = [Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e)];
  const right = [-Math.sin(a), Math.cos(a), 0], up = cross(toward, right);
  const far = eye.near * (eye.follow ? (0.95 * given.size) / Math.tan(OPENING) / Math.min(1, wide) : enough());
  const target = plus(eye.follow ? centreAt(t) : middle, 1, eye.shift);
  const from = plus(target, far, toward);
  const world = [
    right[0], up[0], toward[0], 0, right[1], up[1], toward[1], 0, right[2], up[2], toward[2], 0,
    -dot(right, from), -dot(up, from), -dot(toward, from), 1,
  ];
  const f = 1 / Math.tan(OPENING), n = 0.02 * far, m = 20 * far;
  const lens = [f / wide, 0, 0, 0, 0, f, 0, 0, 0, 0, (n + m) / (n - m), -1, 0, 0, (2 * n * m) / (n - m), 0];
  const key = unit(plus(plus(right.map((x) => 0.55 * x), 0.95, up), 0.42, toward)); // the main light goes with the eye
  const pixel = (2 * far * Math.tan(OPENING)) / canvas.clientHeight; // [m]
  return { matrix: times(lens, world), toward, right, up, key, target, far, pixel };

  function enough() { // so far away that every place of the motion is in the picture
    let most = 0;
    for (let k = 0; k < path.length; k += 3) {
      const p = plus([path[k], path[k + 1], path[k + 2]], -1, middle), room = 0.75 * given.size;
      const half = Math.max(Math.abs(dot(p, up)) + room, (Math.abs(dot(p, right)) + room) / wide);
      most = Math.max(most, half / Math.tan(OPENING) + dot(p, toward));
    }
    return most;
  }
}

// What there is to draw: solids with their poses at a time, in their colours or paler

const pale = (colour, much) => colour.map((c) => c + much * ((dark.matches ? 0.13 : 0.93) - c));

function figure(t, much = 0) {
  const at = Array.from({ length: links }, (_, i) => poseAt(t, i));
  const shown = much ? given.solids.filter((s) => s.link < given.own) : given.solids; // pillars have no ghosts
  return shown.map((s) => {
    const kind = s.kind === "ball" && Math.max(...s.size) < 0.012 * given.size ? "bead" : s.kind;
    return { ...s, kind, pose: times(at[s.link], s.pose), colour: pale(s.colour, much) };
  });
}

function beads(t, size) { // on the way of the centre of mass; those still to come are pale
  const count = Math.min(frames, Math.round(span / 0.05) + 1);
  return Array.from({ length: count }, (_, i) => {
    const when = (span * i) / Math.max(count - 1, 1);
    const pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...centreAt(when), 1];
    return { kind: "bead", size: [size, size, size], reach: 0, pose, colour: pale([0.93, 0.7, 0.34], when > t ? 0.75 : 0) };
  });
}

function all(items, grow = 0) {
  for (const { pose, size, reach, colour, kind } of items) {
    solid.set({ pose, size, reach, colour, grow });
    meshes[kind]();
  }
}

function draw(t) {
  const seen = camera(t), now = figure(t), centre = centreAt(t);
  const below = [0, 1].map((i) => centre[i] - (centre[2] * LIGHT[i]) / LIGHT[2]);
  const shadow = [...below, 0.9 * given.size];
  if (given.ground) throwShadow(now, shadow);
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  if (given.ground) layGround(seen, shadow, Math.max(centre[2] / given.size, 0));
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.CULL_FACE);
  solid.use();
  solid.set({ camera: seen.matrix, toward: seen.toward, key: seen.key, shadow: [0, 0, 0] });
  all(beads(t, 2.5 * seen.pixel));
  if (!eye.follow && ghosts > 2) for (let i = 0; i < ghosts; i++) all(figure((span * i) / (ghosts - 1), 0.72));
  gl.cullFace(gl.FRONT);
  gl.enable(gl.POLYGON_OFFSET_FILL);
  gl.polygonOffset(2, 4);
  all(now, seen.pixel); // its outline: the far side, a pixel larger, and a little farther still
  gl.disable(gl.POLYGON_OFFSET_FILL);
  gl.cullFace(gl.BACK);
  all(now);
  gl.disable(gl.DEPTH_TEST); // forces are seen through the body
  all(arrowsAt(t));
}

function throwShadow(items, shadow) {
  gl.bindFramebuffer(gl.FRAMEBUFFER, behind);
  gl.viewport(0, 0, MASK, MASK);
  for (const off of [gl.DEPTH_TEST, gl.CULL_FACE, gl.BLEND]) gl.disable(off);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT);
  solid.use();
  solid.set({ shadow, light: LIGHT });
  all(items.map((s) => ({ ...s, colour: [9, 9, 9] }))); // white, however it is lit
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
}

function layGround(seen, shadow, height) {
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  plane.use();
  plane.set({
    camera: seen.matrix, shadow, cell: given.cell, blur: 2 + Math.min(height, 3),
    spread: [seen.target[0], seen.target[1], 0.8 * seen.far],
    ground: dark.matches ? [0.125, 0.15, 0.19] : [0.945, 0.953, 0.968],
    line: dark.matches ? [0.24, 0.28, 0.34] : [0.8, 0.825, 0.865],
  });
  sheet();
}
