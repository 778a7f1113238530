"""Reference implementations of rotation functions in mpmath, from their definitions."""

import mpmath as mp

DIGITS = 60


def E(x):
    """(sin x - x cos x) / x³"""
    return (mp.sin(x) - x * mp.cos(x)) / x**3


COEFFICIENTS = {
    "alpha": lambda t: mp.sin(t) / t,
    "beta": lambda t: (1 - mp.cos(t)) / t**2,
    "gamma": lambda t: (t - mp.sin(t)) / t**3,
    "delta": lambda t: t / 2 * mp.cot(t / 2),
    "zeta": lambda t: (1 - t / 2 * mp.cot(t / 2)) / t**2,
    "d_alpha": lambda t: -E(t),
    "d_beta": lambda t: -mp.sin(t / 2) / (t / 2) * E(t / 2) / 4,
    "d_gamma": lambda t: (3 * mp.sin(t) - t * (2 + mp.cos(t))) / t**5,
    "d_delta": lambda t: (mp.sin(t) - t) / (2 * t * (1 - mp.cos(t))),
    "d_zeta": lambda t: (t * mp.sin(t) / 4 + t * t / 4 - 1 + mp.cos(t)) / (t**4 * mp.sin(t / 2) ** 2),
}
LIMITS = {
    "alpha": 1.0, "beta": 1 / 2, "gamma": 1 / 6, "delta": 1.0, "zeta": 1 / 12,
    "d_alpha": -1 / 3, "d_beta": -1 / 12, "d_gamma": -1 / 60, "d_delta": -1 / 6, "d_zeta": 1 / 360,
}  # fmt: skip


def coefficient(name: str, t: float):
    """A coefficient or factor at a float angle, with digits to spare for its cancellation."""
    if t < 1e-30:
        return mp.mpf(LIMITS[name])
    with mp.workdps(DIGITS if t > 1e-4 else DIGITS + 60):
        return COEFFICIENTS[name](mp.mpf(t))


def exp(r):
    """exp([r]), a flat list of nine."""
    t2 = sum(x * x for x in r)
    if t2 == 0:
        return [mp.mpf(i == j) for i in range(3) for j in range(3)]
    t = mp.sqrt(t2)
    a, b = mp.sin(t) / t, 2 * (mp.sin(t / 2) / t) ** 2
    K = mp.matrix([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
    C = mp.eye(3) + a * K + b * K * K
    return [C[i, j] for i in range(3) for j in range(3)]


def log(C):
    """The rotation vector of a flat list of nine, by Shepperd's quaternion: the extension off SO(3) that we compute."""
    a, b, d = C[0], C[4], C[8]
    t = a + b + d
    m = [C[7] - C[5], C[2] - C[6], C[3] - C[1]]
    p = [C[7] + C[5], C[2] + C[6], C[3] + C[1]]
    best = max((t, 0), (a, 1), (b, 2), (d, 3))[1]
    w, *v = [
        [1 + t, *m],
        [m[0], 1 - t + 2 * a, p[2], p[1]],
        [m[1], p[2], 1 - t + 2 * b, p[0]],
        [m[2], p[1], p[0], 1 - t + 2 * d],
    ][best]
    if w < 0:
        w, v = -w, [-x for x in v]
    s = mp.sqrt(sum(x * x for x in v))
    if s == 0:
        return [2 * x / w for x in v]
    k = 2 * mp.atan2(s, w) / s
    return [k * x for x in v]


def derivative(function, values, direction):
    """Central differences in sixty digits."""
    with mp.workdps(DIGITS):
        h = mp.mpf(10) ** -20
        x, d = [mp.mpf(float(v)) for v in values], [mp.mpf(float(v)) for v in direction]
        up = function([a + h * b for a, b in zip(x, d, strict=True)])
        down = function([a - h * b for a, b in zip(x, d, strict=True)])
        return [(a - b) / (2 * h) for a, b in zip(up, down, strict=True)]
