"""Settings of live runs and of the forces by which the pointer pushes and drags figures."""

from dataclasses import dataclass, field

from anthropi.gait.falls import FallSettings

__all__ = ["InteractionSettings", "LiveSettings"]


@dataclass(frozen=True)
class InteractionSettings:
    """Settings of drags and impulses; see `live.interaction` for the equations."""

    stiffness: float = 12.0
    """[1/s²] spring stiffness per kg of figure: 36 N on 75 kg at 0.2 m, a third of the weight at 0.5 m."""
    soft_distance: float = 1.0
    """[m] below this distance the stiffness decreases in proportion, so that a short drag leads a walker gently."""
    min_stiffness_ratio: float = 0.1
    """Fraction of the stiffness that remains at distance 0."""
    damping_ratio: float = 0.2
    """c / √(k m) of the spring: large enough to damp oscillations, small enough not to hold the figure back."""
    max_force: float = 1.5
    """[weights of the figure] largest force of a drag: it lifts the figure but does not throw it."""
    impulse_duration: float = 0.02
    """[s] duration of the force of an impulse: longer than a step, shorter than a reaction."""
    velocity_time: float = 0.1
    """[s] time constant of the low-pass filter that estimates the pointer's velocity."""
    max_pointer_speed: float = 3.0
    """[m/s] bound of the estimated velocity, per axis, because a pointer can jump."""


@dataclass(frozen=True)
class LiveSettings:
    """Settings of a live run: frame rate, pace, recording and falls."""

    frame_rate: float = 60.0
    """[1/s] frames sent to browsers."""
    input_interval: float = 4e-3
    """[s] simulated time over which forces of drags and impulses are held constant."""
    min_pace: float = 0.05
    """Smallest ratio of simulated time to clock time."""
    max_pace: float = 4.0
    """Largest ratio of simulated time to clock time."""
    max_lag: float = 0.1
    """[s] of clock time that a run may lag behind. If it lags more, it no longer tries to catch up."""
    status_interval: float = 0.25
    """[s] of clock time between two `live` events."""
    fall: FallSettings = field(default_factory=FallSettings)
    """Thresholds of the definition of a fall (`gait/falls.py`)."""
    pause_after_fall: float = 2.0
    """[s] of simulated time from a fall to the pause of the run."""
    switch_interval: float = 5e-4
    """[s] after which a running Python thread lets the run continue, such as the thread that compiles kernels. Python's
    own 5 ms are a third of a frame, and a frame waits several times."""
    style_blend: float = 1.0
    """[s] duration of the change from one walking style to another."""
    record_interval: float = 0.03
    """[s] between recorded frames. With this value, one minute of a walking human takes 5 MB."""
    max_frames: int = 18_000
    """Largest number of recorded frames, about ten minutes; then the oldest are removed."""
    interaction: InteractionSettings = field(default_factory=InteractionSettings)
    """Settings of drags and impulses."""
