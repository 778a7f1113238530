// Meshes: triangles, each corner with a normal and the end (±1, or 0) of a capsule it belongs to.

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

const ring = (turn) => [Math.cos(2 * Math.PI * turn), Math.sin(2 * Math.PI * turn)];

function ball(round) { // sphere, ellipsoid and, with its halves drawn apart, capsule
  const half = Math.round(round / 4);
  return grid(2 * half + 1, round, (i, j) => {
    const down = (Math.PI * (i > half ? i - 1 : i)) / (2 * half), [c, s] = ring(j / round); // the equator twice
    const n = [Math.sin(down) * c, Math.sin(down) * s, Math.cos(down)];
    return [...n, ...n, i > half ? -1 : 1];
  });
}

function cylinder(round) {
  const side = grid(1, round, (i, j) => [...ring(j / round), 1 - 2 * i, ...ring(j / round), 0, 0]);
  const lid = (z) => grid(1, round, (i, j) => [...ring((z * j) / round).map((c) => c * i), z, 0, 0, z, 0]);
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
