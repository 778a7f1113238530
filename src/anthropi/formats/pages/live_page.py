"""Write a live page: one HTML file in which the simulation itself runs, without a server or network.

The page contains the step of the simulation and the poses of its links as two WebAssembly modules, which a worker of
the browser runs in real time, and the first state. They are one buffer, compressed (zlib):

    "APL1" · length of the header, 4 bytes · the header, JSON in UTF-8, padded by spaces to a multiple of 8 · parts

The header gives position and size [byte] of each part: the modules "step" and "view", and the arrays, float64, of the
first state (`state/q` …) and of the other inputs (`input/settings` …).
"""

import json
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from anthropi.algebra.linear import matvec
from anthropi.algebra.rotation import quaternion_from_matrix
from anthropi.algebra.scalar import where
from anthropi.algorithms.kinematics import kinematics
from anthropi.compiler import build
from anthropi.contact.geometry.contacts import contact_records
from anthropi.contact.geometry.surfaces import Plane
from anthropi.errors import InputError
from anthropi.figure.editing.joining import combined_parts
from anthropi.formats.pages.html import page
from anthropi.formats.pages.motion_buffer import coordinates
from anthropi.motion import Motion
from anthropi.simulation.controllers import Nominal
from anthropi.simulation.pointer import InteractionSettings
from anthropi.simulation.simulation import Simulation
from anthropi.simulation.slots import with_slots
from anthropi.simulation.time_loop import Program, compiled
from anthropi.tape import record

__all__ = ["LiveControls", "LiveSimulation", "live_buffer", "live_page", "simulation_of"]

MAGIC = b"APL1"


@dataclass(frozen=True)
class LiveControls:
    """What a person can change in a live page besides forces, gravity and ground: the command and style of a walker.

    A controller offers them by a method `live_controls(problem)`.

    Attributes
    ----------
    command : (n,) the first command.
    go, speed, heading : index of each in the command; go is None if a speed of 0 is standing.
    speeds : [m/s] slowest and fastest speed of the slider.
    styles : {name: parameters of the controller}; the first one is active at the start.
    style_blend : [s] duration of a change of style.
    fallen : function (problem, q) → mask; can be recorded on a tape.
    slopes : steepest slope of the slider, as a ratio; 0 for none.
    """

    command: np.ndarray
    go: int | None = 0
    speed: int = 1
    heading: int = 2
    speeds: tuple[float, float] = (0.4, 1.8)
    styles: dict[str, dict[str, Any]] = field(default_factory=dict)
    style_blend: float = 1.0
    fallen: Callable[..., Any] | None = None
    slopes: float = 0.08


def live_page(simulation: Any, file: Any, *, motion: Motion | None = None, **options: Any) -> Path:
    """Write a page in which a simulation runs, and return its path.

    The page needs no server and no network. A person can drag and push the figure, change gravity, pause, rewind and
    restart it, and with a walker also change its speed, direction and style and the slope of the ground.

    Parameters
    ----------
    simulation : a `Simulation` or a `WalkingSession`; the page starts in its present state.
    file : the path, ending in .html. Its folder is created if needed.
    motion : a recorded motion that plays until "Push it" is pressed; None to start with the simulation.
    options : options of `pages.html.page`: title, caption, view, follow, forces, skin …
    """
    simulation = simulation_of(simulation)
    shown: Any = _still(simulation) if motion is None else motion
    options = {"follow": True, "scene": simulation.problem.scene, "title": simulation.figure.name} | options
    return page(shown, file, live=simulation, **options)


def simulation_of(given: Any) -> Simulation:
    """Return a simulation, or that of a walking session; raise InputError for anything else."""
    found = getattr(given, "simulation", given)
    if not isinstance(found, Simulation):
        raise InputError(
            f"A live page needs a Simulation or a WalkingSession, but got an object of type {type(given).__name__}."
        )
    return found


def _still(simulation: Simulation) -> Any:
    """Return the present state as a motion of one frame, or one motion per rollout of a batch."""
    q, u = np.atleast_2d(simulation.q), np.atleast_2d(simulation.u)
    return [Motion(simulation.figure, np.zeros(1), q[k : k + 1], u[k : k + 1]) for k in range(len(q))]


def live_buffer(simulation: Any, settings: InteractionSettings | None = None) -> bytes:
    """Return the compressed content of a live page: the modules, the first state and the controls.

    simulation : as in `live_page`. settings : forces of the pointer.
    """
    simulation = simulation_of(simulation)
    live = LiveSimulation(simulation)
    step, view = live.step_kernel(), live.view_kernel()
    lanes = 1 if simulation.batch == 1 else step.lanes
    parts: dict[str, bytes] = {}
    layouts = {}
    for name, kernel in (("step", step), ("view", view)):
        module = kernel.webassembly(lanes)
        parts[name], layouts[name] = module.code, module.layout
    for name, value in live.arrays().items():
        parts[name] = np.ascontiguousarray(value, "<f8").tobytes()
    at, offset = {}, 0
    for name, part in parts.items():
        at[name] = [offset, len(part)]
        offset += -(-len(part) // 8) * 8
    header = live.header() | {
        "version": 1,
        "batch": simulation.batch,
        "layouts": layouts,
        "parts": at,
        "pointer": asdict(settings or InteractionSettings()),
    }
    text = json.dumps(header, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    body = b"".join(part + b"\0" * (-len(part) % 8) for part in parts.values())
    return zlib.compress(MAGIC + len(text).to_bytes(4, "little") + text + body, 9)


class LiveSimulation:
    """The program of a live page: the simulation with forces on all links, command, gravity and ground as inputs."""

    def __init__(self, simulation: Simulation) -> None:
        self.given = simulation
        problem = simulation.problem
        scene = problem.scene
        self.controls = _controls_of(problem)
        slots = ["gravity"]
        if problem.contact is not None:
            slots += ["ground.point", "ground.normal"] if isinstance(scene.ground, Plane) else []
            slots += ["friction"]
        controller = problem.controller
        controller = None if controller is None else Nominal(controller, simulation.figure)
        self.own = Simulation(
            scene or simulation.figure, controller, simulation.dt, problem.method, problem.prescribed, simulation.batch,
            "wasm", slots=slots,
        )  # fmt: skip
        self.own.state = simulation.state
        self.own.set_parameters(simulation.controller_parameters())
        n = simulation.figure.n
        size = 0 if self.controls is None else len(self.controls.command)
        self.program: Program = replace(self.own.program, frames=1, command=size, f_ext=tuple(range(n)))

    def step_kernel(self) -> Any:
        """Return the kernel that makes steps."""
        return compiled(self.program, "wasm", "float64", 2)

    def view_kernel(self) -> Any:
        """Return the kernel of what is shown: poses and velocities of the links, and whether the figure has fallen."""
        problem, program, controls = self.own.problem, self.program, self.controls
        parts = [[(i, problem.figure.links[i]) for i in part.links] for part in combined_parts(problem.figure)]

        def view(q, u, parameters):
            k = kinematics(problem.figure, q, u)
            turns = [quaternion_from_matrix(C) for C in k.rotation]
            poses = np.stack([np.concatenate([p, w]) for p, w in zip(k.position, turns, strict=True)])
            found = {"poses": poses, "angular_velocity": np.stack(list(k.angular_velocity))}
            found["velocity"] = np.stack(list(k.velocity))
            found |= {"angles": coordinates(problem.figure, q), "com": np.stack([_centre(k, part) for part in parts])}
            if controls is not None and controls.fallen is not None:
                now = with_slots(problem, program.slots, parameters)
                found["fallen"] = np.array([where(controls.fallen(now, q), 1.0, 0.0)])
            return found

        figure = problem.figure
        tape = record(view, q=figure.neutral(), u=np.zeros(figure.nu), parameters=np.zeros(program.size))
        return build(tape, "wasm")

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the first state and the other inputs, (batch, n) each, and the parameters of the styles."""
        own = self.own
        now = own.kernel_state()
        found = {f"state/{name}": np.reshape(x, (own.batch, -1)) for name, x in now.items()}
        found |= {f"input/{name}": x for name, x in own.parameter_rows().items()}
        if self.controls is not None:
            found["input/command"] = np.broadcast_to(self.controls.command, (own.batch, len(self.controls.command)))
            layout = self.program.settings
            base = layout.unpack(own.parameter_rows()["settings"][0]) if layout.size else {}
            for name, parameters in self.controls.styles.items():
                row = {n: np.asarray(parameters.get(n, x), float) for n, x in base.items()}
                found[f"style/{name}"] = layout.pack(row)
        return found

    def header(self) -> dict[str, Any]:
        """Return the description of the simulation, as plain data."""
        own, controls = self.own, self.controls
        figure, scene = own.figure, own.problem.scene
        parts = combined_parts(figure)
        records = contact_records(scene) if own.problem.contact is not None else ()
        owner = {figure.links[i].name: k for k, part in enumerate(parts) for i in part.links}
        lengths = [long for joint in figure.joints for long in (joint.lengths or (False,) * joint.nu)]
        slots, at = {}, 0
        for name, size in own.slot_sizes.items():
            slots[name], at = [at, size], at + size
        means = self.program.means
        places = means.unpack(np.arange(means.size)) if means.size else {}
        return {
            "dt": own.dt,
            "links": [link.name for link in figure.links],
            "mass": float(figure.mass),
            "figures": [
                {
                    "name": part.name,
                    "links": list(part.links),
                    "contacts": [k for k, r in enumerate(records) if owner.get(r.link) == number],
                    "contact_links": [r.link for r in records if owner.get(r.link) == number],
                    "dofs": [[figure.dofs[i], "m" if lengths[i] else "rad", i] for i in range(figure.nu)[part.u]],
                }
                for number, part in enumerate(parts)
            ],
            "means": {name: int(np.ravel(x)[0]) for name, x in places.items()},
            "slots": slots,
            "controls": None if controls is None else {
                "go": controls.go,
                "speed": controls.speed,
                "heading": controls.heading,
                "speeds": [float(x) for x in controls.speeds],
                "styles": list(controls.styles),
                "style_blend": float(controls.style_blend),
                "slopes": float(controls.slopes),
                "falls": controls.fallen is not None,
            },
        }  # fmt: skip


def _centre(k: Any, links: list[tuple[int, Any]]) -> Any:
    """Return the centre of mass (3,) [m] of some links; the position of the first one if they have no mass."""
    mass = sum(float(link.mass) for _, link in links)
    if not mass > 0.0:
        return k.position[links[0][0]]
    return sum(float(link.mass) / mass * (k.position[i] + matvec(k.rotation[i], link.centre)) for i, link in links)


def _controls_of(problem: Any) -> LiveControls | None:
    """Return the controls that the controller, or one inside it, offers; None if there are none."""
    controller = problem.controller
    while controller is not None:
        if hasattr(controller, "live_controls"):
            return controller.live_controls(problem)
        controller = getattr(controller, "controller", None)
    return None
