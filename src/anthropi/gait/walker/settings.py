"""Settings of the walker: time constants, bounds and fixed gains of its control law.

The parameters of a set (`parameters.py`) differ from set to set and are inputs of the kernel. Settings are the same for
all sets and are constants of the kernel, so changing one requires a new kernel. Lengths and times apply to the
reference body, `ap.human(1.75, 75)`, and are scaled to the figure (`parameters.py` (2)). The progress s of a step runs
from 0 to 1.
"""

from dataclasses import dataclass, field

from anthropi.gait.plan.phases import FOOT_LOAD

__all__ = [
    "ClockSettings",
    "JointTargetSettings",
    "PlacementSettings",
    "SightSettings",
    "StanceSettings",
    "WalkerSettings",
]


@dataclass(frozen=True)
class ClockSettings:
    """Settings of `phase_clock.py`. Numbers in parentheses refer to its equations."""

    contact_load: float = FOOT_LOAD
    """Load of the swing foot that counts as a contact [N] (3)."""
    earliest_strike: float = 0.6
    """Step progress s before which a contact of the swing foot is a scuff, not a strike (3)."""
    latest_strike: float = 1.6
    """Step progress s at which the step ends even without a contact (3)."""
    lag_time: float = 0.05
    """Time constant with which the phase lag after a strike decays [s] (2)."""
    acceleration: float = 0.7
    """Largest increase of the desired speed [m/s²] (4)."""
    deceleration: float = 1.5
    """Largest decrease of the desired speed while walking [m/s²] (4)."""
    turn_rate: float = 0.6
    """Largest rate of the desired heading [rad/s] (4)."""
    turn_time: float = 0.25
    """Time constant with which the heading approaches its command [s] (4)."""
    stand_time: float = 0.3
    """Time to blend from walking to standing [s] (5)."""
    leave_time: float = 0.15
    """Time to blend from standing to walking [s] (5)."""
    stop_speed: float = 0.25
    """Desired speed below which a stopping walker may stand [m/s] (5)."""
    scuff_window: tuple[float, float] = (0.3, 0.6)
    """Range of s in which a contact of the swing foot is a scuff (6)."""
    scuff_speed: float = 0.7
    """Desired speed below which contacts of the swing foot are ignored [m/s] (6)."""
    unexpected_rise: float = 0.012
    """A strike that is higher than the commanded foothold by more than this counts as unexpected [m] (6)."""
    caution_time: float = 4.0
    """Time constant with which caution decays [s] (6)."""
    max_interval: float = 0.01
    """Largest time by which one call advances the clock [s]."""


@dataclass(frozen=True)
class PlacementSettings:
    """Settings of `foot_placement.py`. Numbers in parentheses refer to its equations."""

    max_forward: float = 0.7
    """Largest turn of the swing thigh forward or back [rad] (1)."""
    max_sideways: float = 0.45
    """Largest turn of the thighs sideways [rad] (1), (5)."""
    max_inward: float = 0.08
    """Largest turn of the swing thigh towards the other leg, so that legs do not cross [rad] (1)."""
    hip_height: float = 0.9
    """Height of the hip above the foot, used to convert a foothold offset into an angle [m] (1)."""
    knee_lift: float = 0.35
    """Foot clearance per radian of knee flexion [m/rad] (3)."""
    limp: float = 0.29
    """Turn of the swing thigh per unit of step asymmetry [rad] (1): distance of the centre of mass behind the landing
    foot, divided by the hip height."""
    hurry: tuple[float, float] = (-0.35, 0.8)
    """Bounds of the relative change of the step rate (2)."""
    cautious_lift: float = 0.12
    """Additional clearance after a scuff [m] (3)."""
    swing_rise: tuple[float, float] = (0.3, 0.8)
    """Range of s in which the swing leg shortens for a higher foothold (6)."""
    stance_drop: tuple[float, float] = (0.4, 1.0)
    """Range of s in which the stance leg shortens for a lower foothold (6)."""
    min_foot_distance: float = 0.12
    """Smallest distance of the feet across the heading with which the walker may stand [m] (4)."""
    max_foot_stagger: float = 0.16
    """Largest distance of the feet along the heading with which the walker may stand [m] (4)."""
    max_standing_speed: float = 0.35
    """Largest speed error along the heading with which the walker may stand [m/s] (4)."""


@dataclass(frozen=True)
class SightSettings:
    """Settings of `foot_placement.Sight`. Numbers in parentheses refer to equations of `foot_placement.py`."""

    view_height: float = 1.0
    """Height above the stance foot from which the ground height is measured downwards [m]."""
    shifts_ahead: tuple[float, ...] = (-0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15)
    """Candidate shifts of the foothold along the heading [m]."""
    shifts_aside: tuple[float, ...] = (-0.05, 0.0, 0.05)
    """Candidate shifts of the foothold across the heading [m]."""
    sole: tuple[tuple[float, float], ...] = (
        (-0.06, 0.03),
        (-0.06, -0.03),
        (0.05, 0.04),
        (0.05, -0.04),
        (0.18, 0.03),
        (0.18, -0.03),
    )
    """Points of the sole whose height is measured, relative to the ankle, along and across the heading [m]."""
    scales: tuple[float, float, float, float] = (0.12, 0.05, 0.015, 0.08)
    """Shift ahead, shift aside, range of heights and height difference [m] that each add 1 to the cost (9)."""
    clearance_points: tuple[float, ...] = (0.3, 0.5, 0.7, 0.85)
    """Points on the path of the swing foot at which the ground is measured, as fractions of the path."""
    decision_window: float = 0.06
    """Step progress s up to which the foothold of the step may still change."""


@dataclass(frozen=True)
class JointTargetSettings:
    """Settings of `joint_targets.py`. Numbers in parentheses refer to its equations."""

    stiffness: dict[str, float] = field(
        default_factory=lambda: {
            "clavicle": 100.0,
            "shoulder": 40.0,
            "elbow": 20.0,
            "wrist": 5.0,
            "toe": 30.0,
            "lumbar": 600.0,
            "thoracic": 400.0,
            "neck": 60.0,
            "head": 60.0,
        }
    )
    """Joint stiffness [N m/rad]. The stiffness of hip, knee, ankle and toe is a parameter of the set instead."""
    damping: dict[str, float] = field(
        default_factory=lambda: {
            "clavicle": 5.0,
            "shoulder": 3.0,
            "elbow": 1.5,
            "wrist": 0.3,
            "toe": 1.0,
            "lumbar": 40.0,
            "thoracic": 30.0,
            "neck": 4.0,
            "head": 4.0,
            "hip": 35.0,
            "knee": 20.0,
            "ankle": 10.0,
        }
    )
    """Joint damping [N m s/rad]."""
    stance_hip_damping: float = 8.0
    """Damping of the hip of the stance leg [N m s/rad]."""
    standing_hip: tuple[float, float] = (700.0, 60.0)
    """Additional stiffness [N m/rad] and damping [N m s/rad] of both hips while standing."""
    leg: float = 0.86
    """Length of thigh and shank together [m] (6)."""
    strike_decay: float = 0.15
    """Step progress s over which the softening of the leg after a strike decays (4)."""
    landing_start: float = 0.8
    """Step progress s from which the swing leg prepares to land (4)."""
    push_off_rate: float = 12.0
    """Rate at which the push-off builds up [1/cycle] (7)."""


@dataclass(frozen=True)
class StanceSettings:
    """Settings of `stance_control.py`. Numbers in parentheses refer to its equations."""

    max_lean: float = 0.3
    """Largest sideways lean of the desired pelvis orientation [rad] (1)."""
    twist_arm: float = 0.025
    """Largest torque about the thigh that friction can bear, divided by the load of the foot [m] (2)."""
    max_pressure_shift: float = 0.1
    """Largest shift of the centre of pressure by both ankles while standing [m] (3)."""


@dataclass(frozen=True)
class WalkerSettings:
    """Settings of a `Walker`.

    Attributes
    ----------
    clock, placement, joints, stance : settings of the parts of the control law.
    loaded : fraction of the body weight from which a foot counts as fully loaded.
    """

    clock: ClockSettings = field(default_factory=ClockSettings)
    placement: PlacementSettings = field(default_factory=PlacementSettings)
    joints: JointTargetSettings = field(default_factory=JointTargetSettings)
    stance: StanceSettings = field(default_factory=StanceSettings)
    loaded: float = 0.3
