// Joint angles of a leg from the poses of its links, as a gait laboratory reports them (gait/reference/gait_angles.py).

import type { PageNorms, Side } from "./norms";

type Matrix = number[]; // 3 × 3, row by row

/** Returns the rotation matrix of link i from poses (x y z, w x y z). */
function rotation(poses: ArrayLike<number>, at: number, link: number): Matrix {
  const o = at + 7 * link + 3, w = poses[o]!, x = poses[o + 1]!, y = poses[o + 2]!, z = poses[o + 3]!;
  return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
}

/** Returns AᵀB. */
function between(A: Matrix, B: Matrix): Matrix {
  const C = new Array<number>(9);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) C[3 * i + j] = A[i]! * B[j]! + A[3 + i]! * B[3 + j]! + A[6 + i]! * B[6 + j]!;
  return C;
}

/** Returns the first angle [°] of the rotation R_y R_x R_z. */
const aboutY = (C: Matrix) => (Math.atan2(C[2]!, C[8]!) * 180) / Math.PI;

/** Returns hip flexion, knee flexion and ankle dorsiflexion [°] of a leg. `at` is the position of the frame in `poses`. */
export function legAngles(norms: PageNorms, side: Side, poses: ArrayLike<number>, at: number): [number, number, number] {
  const { thigh, shank, foot } = norms.sides[side], P = rotation(poses, at, norms.pelvis.link), A = norms.pelvis.axes;
  const pelvis = P.map((_, k) => [0, 1, 2].reduce((sum, m) => sum + P[3 * Math.floor(k / 3) + m]! * A[m]![k % 3]!, 0));
  const T = rotation(poses, at, thigh), S = rotation(poses, at, shank), F = rotation(poses, at, foot);
  return [-aboutY(between(pelvis, T)), aboutY(between(T, S)), -aboutY(between(S, F))];
}
