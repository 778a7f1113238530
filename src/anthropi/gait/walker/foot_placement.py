"""Foot placement of a walker: where and when the next foot lands, by feedback of the errors e, e' of `observation.py`.

    forward    turn of the swing thigh in the world [rad]:  a + (c + s d)·(e_x, e'_x)
    sideways   b + (c + s d)·(e_y, e'_y), limited so that the legs do not cross. Both have other gains when the
               walker steps in place                                                                              (1)
    timing     hurry = h·(ξ, |ξ|, η, |η|), with the capture point error e + e'/ω = (ξ along, η outwards): a step is
               faster when the capture point is off its course                                                    (2)
    lift       additional flexion of the swing knee (l + lift / 0.35 m) 4 s (1 - s). The lift is commanded, plus
               12 cm after a scuff                                                                                (3)
    settled    the walker may stand when its feet are side by side and apart and it is slow                       (4)
    standing   both thighs turn sideways by c·(e_y, e'_y), and with the weight shift                              (5)
    leg length a leg that steps up by `rise` lands shorter by `rise` and extends in stance. Before a lower foothold
               the stance leg shortens; it extends again in its next swing                                        (6)
    climbing   climb = (a, s, b, c) for steps up: the foot lands a·rise further ahead, the leg is extended at
               progress s, push-off grows by b·rise, and a loaded knee flexes less by the fraction c of (6)       (7)

`Sight` chooses footholds on uneven ground. The nominal foothold relative to the stance foot follows from the path d* of
the centre of mass (`observation.py` (2)):

    ahead d_x*(1) - d_x*(0),   across d_y*(1) + d_y*(0), to the other side                                        (8)

Candidates are shifts of the nominal foothold. The ground heights under six points of the sole give a range r and a
mean h, and each candidate has the cost

    (ahead / 12 cm)² + (aside / 5 cm)² + (r / 1.5 cm)² + ((h - h_stance) / 8 cm)²                                 (9)

The candidate with the lowest cost is chosen at a strike and kept for the step. The foot is lifted over the highest
ground on its path                                                                                                (10)

Sources: A. L. Hof, "The 'extrapolated center of mass' concept suggests a simple control of balance in walking", Human
Movement Science 27 (2008), for (1); M. Khadiv and others, "Step timing adjustment: a step toward generating robust
gaits", Humanoids 2016, for (2). All functions can be recorded on a tape. The constants are fields of
`settings.PlacementSettings`.
"""

from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra.scalar import absolute, clip, cos, less, maximum, minimum, sin, where
from anthropi.gait.walker.observation import OMEGA, Observation, along
from anthropi.gait.walker.settings import SightSettings

__all__ = ["FIRST_SIGHT", "PlacementTarget", "Sight", "ground_height", "hurry", "placement_target", "settled"]

MIN_STRETCH_TIME = 0.1  # in units of s; avoids a division by zero in (7)
FIRST_SIGHT = {"see_ahead": 0.0, "see_aside": 0.0, "see_rise": 0.0, "see_top": 0.0}
"""Initial memory of `Sight`: shift of the foothold ahead and aside, its rise, and the highest ground on the path of the
swing foot, all in m."""


class PlacementTarget(NamedTuple):
    """Target of the swing foot.

    Attributes
    ----------
    forward, aside : turn of the thighs forward and sideways (left positive) [rad] (eqs. 1, 5).
    lift : additional flexion of the swing knee [rad] (eq. 3).
    short : {side: [m]}, shortening of each leg compared with level ground, scaled to the reference body (eq. 6).
    """

    forward: Any
    aside: Any
    lift: Any
    short: dict[str, Any]


def placement_target(obs: Observation) -> PlacementTarget:
    """Compute the target of the swing foot (eqs. 1, 3, 5, 6)."""
    p, s, command, own = obs.p, obs.clock.s, obs.command, obs.settings.placement
    x, y = np.stack([obs.e[0], obs.rate[0]]), np.stack([obs.e[1], obs.rate[1]])
    hip, out = own.hip_height * obs.size.length, where(less(0.5, obs.clock.left), -1.0, 1.0)

    walk = p["reach"] + out * own.limp * p["asymmetry"] + (p["forward"][:2] + s * p["forward"][2:]) @ x  # (1)
    forward = walk + obs.still * (p["slow"][0] + p["slow"][2:4] @ x - walk) + command.reach[0] / hip
    forward = forward + p["climb"][0] * maximum(command.rise, 0.0) / hip  # (7)
    aside = out * (p["spread"] + obs.still * p["slow"][4]) + (p["sideways"][:2] + s * p["sideways"][2:]) @ y
    aside = aside + command.reach[1] / hip
    aside = out * maximum(out * aside, -own.max_inward)
    stood = p["hold"] @ y - obs.clock.shift * p["shift"][1] / own.hip_height  # (5)

    within = clip(s, 0.0, 1.0)
    clearance = command.lift / (own.knee_lift * obs.size.length)
    flexion = p["lift"] + clearance + obs.clock.wary * own.cautious_lift / own.knee_lift
    return PlacementTarget(
        forward=obs.moving * clip(forward, -own.max_forward, own.max_forward),
        aside=clip(obs.moving * aside + obs.clock.stand * stood, -own.max_sideways, own.max_sideways),
        lift=obs.moving * flexion * 4.0 * within * (1.0 - within),  # (3)
        short=_shortening(obs),
    )


def _shortening(obs: Observation) -> dict[str, Any]:
    """Shortening of both legs, {side: [m]}, scaled to the reference body (eq. 6)."""
    clock, rise, own = obs.clock, obs.command.rise, obs.settings.placement
    up, down = (maximum(x, 0.0) for x in (clock.climbed, -clock.climbed))  # rise and drop of the stance foot
    swing = maximum(rise, 0.0) * _ramp(clock.s, *own.swing_rise) + down * (1.0 - _ramp(clock.s, 0.0, own.swing_rise[0]))
    stance = maximum(-rise, 0.0) * _ramp(clock.s, *own.stance_drop)
    stance = stance + up * (1.0 - _ramp(clock.s, 0.0, maximum(obs.p["climb"][1], MIN_STRETCH_TIME)))  # (7)
    left, scale = less(0.5, clock.left), obs.moving / obs.size.length
    return {"l": scale * where(left, stance, swing), "r": scale * where(left, swing, stance)}


def _ramp(s: Any, begin: Any, end: Any) -> Any:
    """Return 0 before `begin`, 1 after `end`, and a linear ramp between them."""
    return clip((s - begin) / (end - begin), 0.0, 1.0)


def hurry(obs: Observation) -> Any:
    """Relative change of the step rate by the capture point error (eq. 2)."""
    point = obs.e + obs.rate / OMEGA
    x, y = point[0], point[1] * where(less(0.5, obs.clock.left), 1.0, -1.0)
    gain = obs.p["hurry"] @ np.stack([x, absolute(x), y, absolute(y)])
    return obs.moving * clip(gain, *obs.settings.placement.hurry)


def settled(obs: Observation) -> Any:
    """Return 1.0 where the walker may stand, else 0.0 (eq. 4)."""
    position, figure, own = obs.sense.kinematics.position, obs.figure, obs.settings.placement
    between = position[figure.link_index("l_foot")] - position[figure.link_index("r_foot")]
    ahead, apart = along(obs.clock.heading, between) / obs.size.length
    beside = less(own.min_foot_distance, apart) & less(absolute(ahead), own.max_foot_stagger)
    return where(beside & less(absolute(obs.rate[0]), own.max_standing_speed), 1.0, 0.0)


def ground_height(ground: Any, x: Any, y: Any, z: Any) -> Any:
    """Height [m] of the ground at (x, y), measured downwards from the height z above it."""
    gap, n = ground.distance(np.array([x, y, z]))
    return z - gap / maximum(n[2], 0.1)


class Sight:
    """Choice of footholds of a walker on uneven ground. It also lifts the swing foot over obstacles.

    Parameters
    ----------
    ground : surface with a method `distance`, such as the ground of the scene.
    settings : candidate footholds and their costs.
    """

    memory: Any
    settings: Any

    def __init__(self, ground: Any, settings: SightSettings | None = None) -> None:
        self.ground = ground
        self.settings = settings or SightSettings()
        self.memory = {name: np.array(x) for name, x in FIRST_SIGHT.items()}

    def __call__(self, obs: Observation, memory: dict[Any, Any]) -> tuple[Observation, dict[Any, Any]]:
        """Return the observation with the chosen foothold in its command, and the memory of the choice."""
        fresh = less(memory["s"], self.settings.decision_window)
        choice = self._foothold(obs)
        seen = {name: where(fresh, new, memory[name]) for name, new in zip(FIRST_SIGHT, choice, strict=True)}
        ahead, aside, rise, top = seen.values()
        lift = obs.command.lift + maximum(top, 0.0)
        return obs._replace(command=obs.command._replace(reach=(ahead, aside), rise=rise, lift=lift)), seen

    def _foothold(self, obs: Observation) -> tuple[Any, Any, Any, Any]:
        """Foothold of least cost (eq. 9): shift ahead, shift aside, rise and highest ground on the path [m]."""
        own, size = self.settings, obs.size.length
        c, s = cos(obs.clock.heading), sin(obs.clock.heading)
        feet = [obs.sense.kinematics.position[obs.figure.link_index(f"{side}_foot")] for side in "lr"]
        left = less(0.5, obs.clock.left)
        stance, swing, sign = where(left, *feet), where(left, feet[1], feet[0]), where(left, 1.0, -1.0)
        above = stance[2] + own.view_height

        def height(x: Any, y: Any) -> Any:
            return ground_height(self.ground, x, y, above)

        d, across = obs.p["path"][0], obs.p["path"][1]
        step = (1.0 - obs.still) * d[1:].sum() * size  # (8)
        width = sign * (2.0 * across[0] + across[1:].sum()) * size
        level = height(stance[0], stance[1])
        best: Any = None
        for a in own.shifts_ahead:
            for b in own.shifts_aside:
                x, y = step + a * size, width + b * size
                px, py = stance[0] + c * x - s * y, stance[1] + s * x + c * y
                under = [height(px + size * (c * i - s * j), py + size * (s * i + c * j)) for i, j in own.sole]
                low, high = reduce(minimum, under), reduce(maximum, under)
                h = sum(under) / len(under)
                uneven, uphill = (high - low) / (own.scales[2] * size), (h - level) / (own.scales[3] * size)
                cost = (a / own.scales[0]) ** 2 + (b / own.scales[1]) ** 2 + uneven * uneven + uphill * uphill  # (9)
                found = cost, a * size + 0.0 * h, b * size + 0.0 * h, h - level, px, py
                best = found if best is None else _better(best, found)
        _, ahead, aside, rise, px, py = best
        between = [height(swing[0] + w * (px - swing[0]), swing[1] + w * (py - swing[1])) for w in own.clearance_points]
        return ahead, aside, rise, reduce(maximum, [*between, level + rise]) - level  # (10)


def _better(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the candidate with the lower cost; the cost is the first entry."""
    wins = less(new[0], old[0])
    return tuple(where(wins, y, x) for x, y in zip(old, new, strict=True))
