"""Four-bar and slider–crank in closed form: every angle and place as a function of the crank's angle, by mpmath.

A mechanism of one degree of freedom with links of mass m, inertia I, places c(θ) of their centres and angles φ(θ) has

    J(θ) = Σ m |c_θ|² + I φ_θ²,   J θ″ + ½ J_θ θ'² + g Σ m z_θ = τ                                    (Eksergian)
"""

import mpmath as mp
import numpy as np

GRAVITY = mp.mpf("9.81")


class FourBar:
    """Loop of vectors a e^{iθ} + b e^{iφ} + c e^{iψ} = d; angles of the tree's joints from neutral."""

    def __init__(self, a, b, c, d):
        self.a, self.b, self.c, self.d = map(mp.mpf, (a, b, c, d))

    def angles(self, theta):
        """θ, φ, ψ against the ground."""
        x, y = self.d - self.a * mp.cos(theta), -self.a * mp.sin(theta)
        r = mp.sqrt(x * x + y * y)
        phi = mp.atan2(y, x) + mp.acos((r * r + self.b**2 - self.c**2) / (2 * r * self.b))
        psi = mp.atan2(y - self.b * mp.sin(phi), x - self.b * mp.cos(phi))
        return theta, phi, psi

    def joints(self, theta):
        """The three coordinates: turns of each bar against the one before, from neutral."""
        here, rest = self.angles(theta), self.angles(mp.mpf(0))
        moved = [p - q for p, q in zip(here, rest, strict=True)]
        return [moved[0], moved[1] - moved[0], moved[2] - moved[1]]

    def centres(self, theta):
        """Middles of the bars, x and height."""
        t, p, s = self.angles(theta)
        at = [mp.mpf(0), mp.mpf(0)]
        found = []
        for length, angle in ((self.a, t), (self.b, p), (self.c, s)):
            way = [length * mp.cos(angle), length * mp.sin(angle)]
            found.append([at[0] + way[0] / 2, at[1] + way[1] / 2])
            at = [at[0] + way[0], at[1] + way[1]]
        return found


class SliderCrank:
    """Crank r, rod l: sin φ = -(r / l) sin θ, x = r cos θ + l cos φ."""

    def __init__(self, r, l):
        self.r, self.l = mp.mpf(r), mp.mpf(l)

    def angles(self, theta):
        """θ, φ of the rod, 0 of the block."""
        return theta, mp.asin(-self.r / self.l * mp.sin(theta)), mp.mpf(0)

    def joints(self, theta):
        """The three coordinates."""
        t, p, _ = self.angles(theta)
        return [t, p - t, -p]

    def place(self, theta):
        """Where the block is."""
        return self.r * mp.cos(theta) + mp.sqrt(self.l**2 - (self.r * mp.sin(theta)) ** 2)

    def centres(self, theta):
        """Middles of crank and rod, and the block."""
        t, p, _ = self.angles(theta)
        pin = [self.r * mp.cos(t), self.r * mp.sin(t)]
        return [[pin[0] / 2, pin[1] / 2], [pin[0] + self.l * mp.cos(p) / 2, pin[1] + self.l * mp.sin(p) / 2],
                [self.place(theta), mp.mpf(0)]]  # fmt: skip


def motion(mechanism, theta, rate, change):
    """q, u, udot (3,) of the joints when the crank is at θ, turning with θ', θ″."""
    theta, rate, change = mp.mpf(theta), mp.mpf(rate), mp.mpf(change)
    rows = []
    for k in range(3):
        value = lambda t, k=k: mechanism.joints(t)[k]  # noqa: E731
        first, second = mp.diff(value, theta), mp.diff(value, theta, 2)
        rows.append([value(theta), first * rate, first * change + second * rate**2])
    return np.array(rows, dtype=float).T


def acceleration(mechanism, figure, theta, rate, torque) -> float:
    """θ″ by Eksergian's equation."""
    masses = [mp.mpf(link.mass) for link in figure.links]
    tensors = [mp.mpf(link.tensor[2, 2]) for link in figure.links]

    def inertia(t):
        total = mp.mpf(0)
        for n, (m, I) in enumerate(zip(masses, tensors, strict=True)):
            x, z, p = (mp.diff(f, t) for f in (
                lambda s, n=n: mechanism.centres(s)[n][0],
                lambda s, n=n: mechanism.centres(s)[n][1],
                lambda s, n=n: mechanism.angles(s)[n],
            ))  # fmt: skip
            total += m * (x * x + z * z) + I * p * p
        return total

    def height(t):
        return sum(m * c[1] for m, c in zip(masses, mechanism.centres(t), strict=True))

    theta, rate, torque = mp.mpf(theta), mp.mpf(rate), mp.mpf(torque)
    pull = torque - mp.diff(inertia, theta) * rate**2 / 2 - GRAVITY * mp.diff(height, theta)
    return float(pull / inertia(theta))
