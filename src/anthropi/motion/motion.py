"""Motions: states of a figure at a sequence of times, with interpolation between them.

Between two frames h [s] apart, with ξ = q1 ⊟ q0 and s from 0 to 1, the configuration is q0 ⊞ θ(s). θ is the cubic with

    θ(0) = 0,  θ(1) = ξ,  θ'(0) = h u0,  θ'(1) = h lift(ξ, u1)                 (1)

which has an error of order h⁴ for every joint, and the velocities of both frames. The velocity between frames is that
of this curve, h u = J(θ) θ', where J is the inverse of `lift`. Events of a motion are named tuples with a time [s].
Motions contain plain floats only; they cannot be recorded on a tape.
"""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from anthropi.algebra import rotation as rot
from anthropi.algebra.linear import matvec
from anthropi.errors import InputError, ShapeError
from anthropi.figure.figure import Figure
from anthropi.figure.states import angular_starts
from anthropi.motion.state import State

__all__ = ["EVENTS", "Event", "FootEvent", "Frame", "Motion", "known", "moved", "within"]


class Frame(NamedTuple):
    """State at a time t [s]: q (…, nq), u (…, nu)."""

    t: float
    q: np.ndarray
    u: np.ndarray


@dataclass(frozen=True, eq=False)
class Motion:
    """A sequence of states of a figure.

    Attributes
    ----------
    figure : the figure that moves.
    time : (frames,) [s], increasing.
    q : (frames, nq), or (batch, frames, nq) for many rollouts.
    u : (…, frames, nu); computed from neighbouring frames if None.
    channels : {name: (…, frames, …)} further recorded arrays, such as "udot", "tau", "contact". In a simulated motion
        these are means over the steps from a frame to the next (`motion/contacts.py`), otherwise values at the frames.
    events : named tuples with a time, in order of time.
    metadata : {name: value} further information; "clock" is written by `simulate` and read by `resume`.
    """

    figure: Figure
    time: np.ndarray
    q: np.ndarray
    u: Any = None
    channels: dict[str, np.ndarray] = field(default_factory=dict)
    events: tuple[Any, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.figure, Figure):
            raise InputError(f"A motion needs a figure; got {type(self.figure).__name__}.")
        time, q = np.array(self.time, float), _numbers("q", self.q)
        frames = len(time) if time.ndim == 1 else -1
        if frames < 1 or not np.isfinite(time).all() or not (np.diff(time) > 0.0).all():
            raise InputError(f"time has shape {time.shape}. Give one or more finite times [s] in increasing order.")
        lead = q.shape[:-1]
        if len(lead) not in (1, 2) or lead[-1] != frames or q.shape[-1] != self.figure.nq:
            raise ShapeError(
                f"q has shape {q.shape}; figure '{self.figure.name}' at {frames} times needs "
                f"{(frames, self.figure.nq)} or {('batch', frames, self.figure.nq)}."
            )
        u = _rates(self.figure, time, q) if self.u is None else _numbers("u", self.u)
        if u.shape != (*lead, self.figure.nu):
            raise ShapeError(f"u has shape {u.shape}; with this q it must have {(*lead, self.figure.nu)}.")
        channels = {name: _numbers(name, x) for name, x in self.channels.items()}
        for name, x in channels.items():
            if x.shape[: len(lead)] != lead:
                raise ShapeError(f"Channel '{name}' has shape {x.shape}; it must begin with {lead}, as q does.")
            if name in ("udot", "tau") and x.shape != u.shape:
                raise ShapeError(f"Channel '{name}' has shape {x.shape}; it must have {u.shape}, as u does.")
        for name, array in (("time", time), ("q", q), ("u", u), *channels.items()):
            array.setflags(write=False)
            if name not in channels:
                object.__setattr__(self, name, array)
        object.__setattr__(self, "channels", channels)
        object.__setattr__(self, "events", tuple(self.events))
        object.__setattr__(self, "metadata", dict(self.metadata))

    def __repr__(self) -> str:
        many = f"{self.q.shape[0]} rollouts of " if self.q.ndim == 3 else ""
        return f"Motion('{self.figure.name}': {many}{len(self)} frames, {self.time[0]:g} to {self.time[-1]:g} s)"

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, which: Any) -> Any:
        """Return a frame by its number, or a motion of some frames by a slice, with the events between these frames.

        Events before the first and after the last frame of the whole motion stay with these frames.
        """
        if isinstance(which, slice):
            along = (slice(None),) * (self.q.ndim - 2)
            cut = {name: x[(*along, which)] for name, x in self.channels.items()}
            if which.step not in (None, 1):  # channels that are means over intervals become means over the longer ones
                from anthropi.motion.contacts import resampled_means

                cut |= resampled_means(self, self.time[which])
            part = self.changed(time=self.time[which], q=self.q[..., which, :], u=self.u[..., which, :], channels=cut)
            low = -np.inf if part.time[0] == self.time[0] else part.time[0]
            return within(part, low, np.inf if part.time[-1] == self.time[-1] else part.time[-1])
        return Frame(float(self.time[which]), self.q[..., which, :], self.u[..., which, :])

    def changed(self, **fields: Any) -> "Motion":
        """Return a copy with the given fields replaced."""
        return replace(self, **fields)

    @property
    def udot(self) -> Any:
        """Accelerations (…, frames, nu); None if they were not recorded."""
        return self.channels.get("udot")

    @property
    def tau(self) -> Any:
        """Joint forces (…, frames, nu); None if they were not recorded."""
        return self.channels.get("tau")

    def resume(self) -> State:
        """Return the last state with its memory, from which a simulation continues with bit-for-bit equal results."""
        memory = self.channels["memory"][..., -1, :] if "memory" in self.channels else None
        time, clock = float(self.time[-1]), self.metadata.get("clock")
        own = None
        if clock is not None:
            count = round((time - clock["start"]) / clock["dt"])
            if abs(clock["start"] + count * clock["dt"] - time) < 1e-6 * clock["dt"] * max(1, count):
                own = {"start": clock["start"], "dt": clock["dt"], "count": count}
            own = (own or {}) | {"rollout": clock.get("rollout", 0)}
        return State(time, self.q[..., -1, :], self.u[..., -1, :], memory, own, self.figure.dofs)

    def rollout(self, k: int) -> "Motion":
        """Return rollout k of a batch as a motion."""
        if self.q.ndim == 2:
            raise InputError("This motion is a single rollout already. Use rollout(k) only for a batch.")
        if k not in range(-len(self.q), len(self.q)):
            raise InputError(f"rollout({k!r}): there are {len(self.q)}; give a number from 0 to {len(self.q) - 1}.")
        k = range(len(self.q))[k]
        found = tuple(e for e in self.events if getattr(e, "rollout", k) == k)
        channels = {name: x[k] for name, x in self.channels.items()}
        metadata = dict(self.metadata)
        if "clock" in metadata:  # the random stream continues
            clock = metadata["clock"]
            metadata["clock"] = clock | {"rollout": clock.get("rollout", 0) + k}
        return self.changed(q=self.q[k], u=self.u[k], channels=channels, events=found, metadata=metadata)

    def at(self, t: Any) -> Frame:
        """Return the state at time t [s] within the motion, interpolated by (1); times (n,) give q (…, n, nq)."""
        when = np.asarray(t, float)
        if when.ndim > 1 or not ((self.time[0] <= when) & (when <= self.time[-1])).all():
            raise InputError(
                f"at takes a time, or an array of times, from {self.time[0]:g} to {self.time[-1]:g} s; got {t}."
            )
        if len(self) == 1:
            only = np.zeros(when.shape, int)
            return Frame(t, self.q[..., only, :], self.u[..., only, :])
        k = np.clip(np.searchsorted(self.time, when, "right") - 1, 0, len(self) - 2)
        h = self.time[k + 1] - self.time[k]
        s = ((when - self.time[k]) / h)[..., None]
        q, u = _between(
            self.figure,
            self.q[..., k, :],
            self.q[..., k + 1, :],
            self.u[..., k, :],
            self.u[..., k + 1, :],
            h[..., None] if np.ndim(h) else h,
            s,
        )
        return Frame(t, q, u)

    # derived motions

    def resample(self, times: Any = None, rate: float | None = None) -> "Motion":
        """Resample at times (n,) [s], or at `rate` frames per second; see `anthropi.motion.editing.resample`."""
        from anthropi.motion.editing import resample

        return resample(self, times, rate)

    def slice(self, start: float | None = None, end: float | None = None) -> "Motion":
        """Return the part from `start` to `end` [s], with a frame at each end and the events in between."""
        from anthropi.motion.editing import cut

        return cut(self, start, end)

    def shift(self, by: float) -> "Motion":
        """Return the motion, with its events, delayed by `by` [s]."""
        from anthropi.motion.editing import shift

        return shift(self, by)

    def then(self, *others: Any, overlap: float = 0.0, align: bool = False) -> "Motion":
        """Return this motion followed by others; see `anthropi.motion.editing.concatenate`."""
        from anthropi.motion.editing import concatenate

        return concatenate(self, *others, overlap=overlap, align=align)

    def blend(self, other: Any, weight: Any, channels: Any = ()) -> "Motion":
        """Blend with another motion; weight 0 is this one, 1 the other; see `anthropi.motion.blending.blend`."""
        from anthropi.motion.blending import blend

        return blend(self, other, weight, channels)

    def mirror(self) -> "Motion":
        """Return the mirror image y → -y, with left and right exchanged; see `anthropi.motion.editing.mirror`."""
        from anthropi.motion.editing import mirror

        return mirror(self)

    def onto(self, figure: Figure) -> "Motion":
        """Return the motion of another figure with the same joints, by name; see `anthropi.motion.editing.onto`."""
        from anthropi.motion.editing import onto

        return onto(self, figure)

    def verify(self, scene: Any = None, f_ext: Any = None) -> Any:
        """Check the laws that tie the quantities of the motion to each other: momentum, contact, loops, time, and more.

        scene : scene of the motion, for ground other than a horizontal plane. f_ext : external forces that acted and
        are not recorded. Returns a `Verification`; see `anthropi.simulation.verification.verify` and docs/trust.md.
        """
        from anthropi.upward import verify

        return verify(self, scene, f_ext)

    # files

    def save(self, path: Any, **options: Any) -> None:
        """Write the motion, with its figure, to a file in the format of its extension; see `ap.save`.

        .npz and .h5 files contain everything. A .bvh file contains the skeleton and its angles (options scale, up,
        forward), and a .csv table the coordinates (option degrees). If writing fails, an existing file is unchanged.
        """
        from anthropi.upward import save_motion

        save_motion(self, path, **options)

    def save_frames(self, folder: Any) -> None:
        """Write one numbered text file per frame into a folder."""
        from anthropi.upward import save_frames

        save_frames(self, folder)

    def export(self, path: Any, **options: Any) -> Any:
        """Write the motion for viewing or for other programs, in the format of the extension: .html .glb .bvh .csv …

        options : options of the format; see `anthropi.formats`. Returns the path.
        """
        from anthropi.upward import export

        return export(self, path, **options)

    def to_pandas(self, quantity: str = "q") -> Any:
        """Return one quantity as a pandas DataFrame: a row for each frame, a named column for each number.

        quantity : "q", "u" or the name of a channel, such as "tau". Parts of quaternions are "l_hip.qw" to "l_hip.qz".
        """
        from anthropi.upward import to_pandas

        return to_pandas(self, quantity)

    def to_xarray(self) -> Any:
        """Return the motion with all channels as an xarray Dataset; dimensions: time, coordinate, dof, rollout."""
        from anthropi.upward import to_xarray

        return to_xarray(self)

    def show(self, **options: Any) -> Any:
        """Play the motion in a browser: write a page, open it, and return its path.

        options : those of `anthropi.formats.pages.html.show`.
        """
        from anthropi.upward import show

        return show(self, **options)

    @staticmethod
    def load(path: Any, **options: Any) -> "Motion":
        """Read a motion from a file or a folder of frames; see `ap.load_motion`."""
        from anthropi.upward import load_motion

        return load_motion(path, **options)


def within(motion: Motion, low: float, high: float) -> Motion:
    """Return a part of a motion with only the events from low to high [s], and the fall of this part in the metadata.

    If the figure fell before `low`, it lies on the ground from the first frame on: the fall is then at that frame.
    """
    about = motion.metadata
    fall = about.get("fall_time") if about.get("fell") else None
    if fall is not None and fall > high:
        about = about | {"fell": False, "fall_time": None, "fall_cause": None}
    elif fall is not None and fall < low:
        about = about | {"fall_time": float(motion.time[0])}
    kept = tuple(e for e in motion.events if not hasattr(e, "time") or low <= e.time <= high)
    return motion.changed(events=kept, metadata=about)


def _between(figure, q0, q1, u0, u1, h, s):
    """Interpolate between two frames at s by (1), and return q and u."""
    xi = figure.difference(q0, q1)
    a, b = h * u0, h * _turned(figure, rot.G_b, xi, u1)
    theta = s * a + s * s * ((3.0 * xi - 2.0 * a - b) + s * (a + b - 2.0 * xi))
    slope = a + s * (2.0 * (3.0 * xi - 2.0 * a - b) + 3.0 * s * (a + b - 2.0 * xi))
    return figure.integrate(q0, theta), _turned(figure, rot.J_b, theta, slope) / h


def _turned(figure, matrix, theta, v):
    """Apply `lift` (matrix = G_b) or its inverse (J_b) to a batch v: a matrix for rotations, the identity elsewhere."""
    out = np.array(v, float)
    for k in angular_starts(figure):
        part = slice(k, k + 3)
        out[..., part] = matvec(matrix(theta[..., part]), v[..., part])
    return out


def _rates(figure, time, q) -> np.ndarray:
    """Velocities (…, frames, nu) of the frames: means of the intervals before and after."""
    if len(time) == 1:
        return np.zeros((*q.shape[:-1], figure.nu))
    between = figure.difference(q[..., :-1, :], q[..., 1:, :]) / np.diff(time)[:, None]
    ends = np.concatenate([between[..., :1, :], between, between[..., -1:, :]], axis=-2)
    return 0.5 * (ends[..., :-1, :] + ends[..., 1:, :])


def _numbers(name: str, given) -> np.ndarray:
    """Convert to a float array that shares no writable memory."""
    array = np.asarray(given)
    array = array.copy() if array.flags.writeable else array
    if array.dtype.kind not in "fiu" or array.ndim < 1:
        raise InputError(f"{name} must hold numbers, (frames, …) or (batch, frames, …); got {type(given).__name__}.")
    return array if array.dtype.kind == "f" else array.astype(float)


class Event(NamedTuple):
    """An event of a motion.

    time : [s]. what : description ("release", "l_foot touches"). rollout : number in a batch, 0 for a single rollout.
    about : further data.
    """

    time: float
    what: str
    rollout: int = 0
    about: Any = None


EVENTS: dict[str, type[Any]] = {"Event": Event}  # kinds of events that files can contain, by name


def known(kind: type[Any]) -> type[Any]:
    """Register a kind of event that files can contain; use it as a decorator of a named tuple."""
    EVENTS[kind.__name__] = kind
    return kind


@known
class FootEvent(NamedTuple):
    """A heel strike or toe-off. time : [s]. foot : "l" or "r". what : "strike" or "off"."""

    time: float
    foot: str
    what: str


def moved(event: Any, by: float) -> Any:
    """Return an event delayed by `by` [s]; an event without a time is returned unchanged."""
    return event._replace(time=event.time + by) if hasattr(event, "_replace") and hasattr(event, "time") else event
