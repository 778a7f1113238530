// The natural cubic spline through points. The server uses the same one.

export type Point = [time: number, value: number];

/** Computes the values of the spline at times. It is constant beyond its ends. */
export function splined(points: readonly Point[], times: readonly number[]): number[] {
  const n = points.length;
  if (!n) return times.map(() => 0);
  if (n === 1) return times.map(() => points[0]![1]);
  const t = points.map((p) => p[0]), y = points.map((p) => p[1]), m = secondDerivatives(t, y);
  let k = 0;
  return times.map((at) => {
    if (at <= t[0]!) return y[0]!;
    if (at >= t[n - 1]!) return y[n - 1]!;
    if (at < t[k]!) k = 0;
    while (k < n - 2 && at > t[k + 1]!) k++;
    const h = t[k + 1]! - t[k]!, a = (t[k + 1]! - at) / h, b = 1 - a;
    return a * y[k]! + b * y[k + 1]! + (((a ** 3 - a) * m[k]! + (b ** 3 - b) * m[k + 1]!) * h * h) / 6;
  });
}

/** Computes the second derivatives at the points by solving a tridiagonal system. They are zero at the ends. */
function secondDerivatives(t: number[], y: number[]): number[] {
  const n = t.length, m = new Array<number>(n).fill(0), c = new Array<number>(n).fill(0), d = new Array<number>(n).fill(0);
  for (let i = 1; i < n - 1; i++) {
    const h0 = t[i]! - t[i - 1]!, h1 = t[i + 1]! - t[i]!, b = 2 * (h0 + h1) - h0 * c[i - 1]!;
    c[i] = h1 / b;
    d[i] = (6 * ((y[i + 1]! - y[i]!) / h1 - (y[i]! - y[i - 1]!) / h0) - h0 * d[i - 1]!) / b;
  }
  for (let i = n - 2; i > 0; i--) m[i] = d[i]! - c[i]! * m[i + 1]!;
  return m;
}
