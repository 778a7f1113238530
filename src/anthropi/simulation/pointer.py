"""Settings of the forces by which a pointer drags and pushes figures in live runs and live pages."""

from dataclasses import dataclass

__all__ = ["InteractionSettings"]


@dataclass(frozen=True)
class InteractionSettings:
    """Settings of drags and impulses; `studio/live/interaction.py` has the equations."""

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
