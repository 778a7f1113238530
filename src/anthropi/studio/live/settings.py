"""Settings of live runs. Those of the pointer's forces are in `simulation/pointer.py`."""

from dataclasses import dataclass, field

from anthropi.gait.falls import FallSettings
from anthropi.simulation.pointer import InteractionSettings

__all__ = ["InteractionSettings", "LiveSettings"]


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
