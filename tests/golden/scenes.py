"""Golden cases of simulation: contact models, joint limits, controllers, integrators and options of `simulate`.

The contact channel has cases of its own, `contact_channel/…`: it is to become the force that acted.
"""

from functools import cache, partial
from pathlib import Path

import numpy as np

from golden.cases import DIGITS, case
from golden.figures import block, figure, state
from golden.names import (
    METHODS,
    Convex,
    Freeze,
    FromForce,
    HardLimits,
    Hold,
    Leg,
    Link,
    ReachCone,
    Several,
    SoftLimits,
    StoppingLimits,
    Torque,
    VirtualLeg,
    ap,
    figure_from_parts,
    human_limits,
    read_script_file,
    scalar,
    standing,
)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CONTACTS = {
    "compliant": ap.contact.Compliant(),
    "impulsive": ap.contact.Impulsive(),
    "convex": Convex(),
    "virtual_leg": VirtualLeg(("l_foot", "r_foot"), Leg(15e3, 300.0, 8.0), FromForce(450.0)),
}


def kept(motion, *channels):
    """What a case keeps of a motion: never the contact channel, unless asked for."""
    return motion.time, motion.q, motion.u, [motion.channels[name] for name in channels]


def stand(contact, steps=40, **options):
    """The sample biped on its feet, joints held by springs."""
    own = ap.sample("biped")
    q = standing(own)
    scene = ap.Scene(own, features="feet", contact=contact)
    given = {"steps": steps, "dt": 1e-3, "every": 10, "record": ("contact", "tau", "udot"), "opt": "now"} | options
    u = np.linspace(-0.3, 0.3, own.nu)
    return ap.simulate(scene, q, u, Hold(own, q, 300.0, 20.0), **given)


def tumble(contact, **scenery):
    """A box that hits the ground with an edge."""
    own = figure_from_parts("box", [(None, ap.joints.Free(name="root"), block("body", (0.2, 0.3, 0.1), 2.0))])
    q = np.array([0.0, 0.0, 0.12, 0.8, 0.6, 0.0, 0.0])
    u = np.array([0.5, 0.2, -1.0, 1.0, -2.0, 0.5])
    scene = ap.Scene(own, contact=contact, **scenery)
    return ap.simulate(scene, q, u, steps=60, dt=2e-3, every=10, opt="now")


for name, contact in CONTACTS.items():
    held = cache(partial(stand, contact))
    case(f"contact/{name}/biped")(lambda run=held: kept(run(), "tau", "udot"))
    case(f"contact_channel/{name}/biped")(lambda run=held: run().channels["contact"])
    if name != "virtual_leg":
        tumbling = cache(partial(tumble, contact))
        case(f"contact/{name}/box")(lambda run=tumbling: kept(run()))
        case(f"contact_channel/{name}/box")(lambda run=tumbling: run().channels["contact"])


@case("contact/impulsive/restitution_and_friction")
def bounce():
    material = ap.contact.Material(friction=0.3, restitution=0.5)
    return kept(tumble(ap.contact.Impulsive(), material=material))


@case("contact/impulsive/two_boxes")
def stack():
    """One box falls on another: links of two figures touch."""
    boxes = [figure_from_parts("box", [(None, ap.joints.Free(name="root"), block("body", size, 2.0))])
             for size in ((0.3, 0.3, 0.2), (0.2, 0.2, 0.2))]  # fmt: skip
    scene = ap.Scene.of(
        boxes, ["low", "high"], pairs=[("low/*", "high/*")], edges=False, contact=ap.contact.Impulsive()
    )
    q = np.array([0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 0.05, 0.02, 0.32, 1.0, 0.0, 0.0, 0.0])
    return kept(ap.simulate(scene, q, steps=60, dt=2e-3, every=20, opt="now"))


# joint limits


def rod(limits, steps=60):
    """A rod on a ball, thrown against its limits."""
    link = Link("rod", 2.0, [0.0, 0.05, -0.35], np.diag([0.09, 0.09, 0.02]))
    own = figure_from_parts("rod", [("", ap.joints.Ball(name="ball"), link)])
    q = own.integrate(own.neutral(), [0.5, 0.2, 0.1])
    scene = ap.Scene(own, ground=None, limits=limits)
    return ap.simulate(scene, q, [3.0, 1.0, -2.0], steps=steps, dt=2e-3, every=10, record=("tau",), opt="now")


def human_at_limits(limits):
    """A person in free fall who kicks and throws against the ranges of the joints."""
    own, given = figure("human"), state("human")
    scene = ap.Scene(own, ground=None, limits=limits)
    return kept(ap.simulate(scene, given["q"], 10.0 * given["u"], steps=20, dt=2e-3, every=5, opt="now"))


CONE = {"ball": ReachCone([0.1, 0.0, -1.0], 0.8)}
LIMITS = {"soft": SoftLimits(CONE), "stiff": SoftLimits(CONE, wall=1e5), "hard": HardLimits(CONE, restitution=0.3)}
for name, limits in LIMITS.items():
    case(f"limits/rod/{name}")(lambda own=limits: kept(rod(own), "tau"))
    case(f"limits/human/{name}", DIGITS)(lambda kind=name: human_at_limits(human_limits(figure("human"), kind)))
case("limits/human/stopping")(lambda: human_at_limits(StoppingLimits()))
case("limits/hopper/stopping")(lambda: kept(ap.simulate(
    ap.Scene(figure("hopper"), ground=None, limits=StoppingLimits()), figure("hopper").neutral(),
    [0.0, 0.0, 1.0, 8.0, 3.0], steps=200, dt=2e-3, every=20, opt="now")))  # fmt: skip


# integrators and options of simulate


def swing(name: str, method: str, **options):
    own, given = figure(name), state(name)
    q = own.integrate(own.neutral(), 0.2 * given["u"])
    motion = ap.simulate(own, q, given["u"], 0.05 * given["tau"], steps=12, dt=2e-3, every=4, method=method, opt="now",
                         **options)  # fmt: skip
    return motion.time, motion.q, motion.u


for method in METHODS:
    for name in ("arm", "mixed"):
        case(f"integrators/{name}/{method}")(partial(swing, name, method))
case("integrators/arm/adaptive_steps")(partial(swing, "arm", "dormand_prince", tolerance=1e-8))
case("integrators/mixed/prescribed")(
    partial(swing, "mixed", "rk4", prescribed=("hinge", "slide"), udot=np.linspace(-1.0, 1.0, figure("mixed").nu))
)
case("integrators/arm/float32")(partial(swing, "arm", "rk4", precision="float32"))
case("integrators/arm/parameters")(partial(swing, "arm", "rk4", parameters={"link_2.mass": 0.8}))
case("integrators/arm/external_force")(partial(swing, "arm", "rk4", f_ext={"link_5": np.arange(6.0)}))
case("integrators/floating_arm/conserved_momentum")(lambda: kept(ap.simulate(
    ap.sample("floating_arm6"), ap.sample("floating_arm6").neutral(), np.linspace(-1.0, 1.0, 12), steps=12, dt=5e-3,
    every=4, conserve=True, opt="now")))  # fmt: skip


@case("simulate/energy_and_work")
def audited():
    return kept(stand(CONTACTS["compliant"], record=("energy", "work")), "energy", "work")


@case("simulate/root_at_the_stance_foot", DIGITS)  # rooted anew on floats
def rooted():
    return kept(stand(CONTACTS["compliant"], root="stance foot", method="rk4", dt=1e-4), "tau")


@case("simulate/batch_of_parameters")
def batch():
    return kept(stand(CONTACTS["compliant"], parameters={"kp": np.array([200.0, 300.0, 400.0])}))


@case("simulate/script")
def script():
    """Boxes by a script: bodies, impulses, materials of pairs."""
    return kept(read_script_file(EXAMPLES / "scripts" / "boxes.toml").run(duration=0.2, dt=4e-3, opt="now"), "energy")


@case("simulate/resumed")
def resumed():
    """Two runs, the second from the end of the first."""
    own, first = ap.sample("biped"), stand(CONTACTS["impulsive"])
    scene = ap.Scene(own, features="feet", contact=CONTACTS["impulsive"])
    hold = Hold(own, standing(own), 300.0, 20.0)
    return kept(ap.simulate(scene, first, None, hold, steps=20, dt=1e-3, every=10, opt="now"))


@case("simulate/stopped")
def stopped():
    own, given = figure("arm"), state("arm")
    motion = ap.simulate(own, own.neutral(), given["u"], steps=60, dt=2e-3, every=4, opt="now",
                         stop=lambda figure, t, q, u: scalar.less(0.05, t))  # fmt: skip
    return motion.time, motion.q, motion.u


@case("simulate/several_controllers")
def several():
    own = figure("arm")
    drives = Several(hold=Hold(own, own.neutral(), 20.0, 2.0, joints=["joint_1", "joint_3"]),
                     push=Torque(np.linspace(-1.0, 1.0, own.nu)), still=Freeze(("joint_5",)))  # fmt: skip
    u = np.where(np.arange(own.nu) == 5, 0.0, 1.0)
    return kept(ap.simulate(own, own.neutral(), u, drives, steps=30, dt=2e-3, every=10, record=("tau",), opt="now"))


@case("simulate/random_numbers")
def noisy():
    """A controller that draws random numbers and reads a command."""
    own = figure("arm")

    class Noise:
        parameters, memory, prescribed = {}, {"steps": 0.0}, ()

        def __call__(self, figure, sense, memory, parameters):
            push = sense.command[0] * (sense.noise(1) - 0.5) * np.ones(figure.nu)
            return Torque(lambda figure, t, q, u: push)(figure, sense, {}, {})[0], {"steps": memory["steps"] + 1.0}

    return kept(ap.simulate(own, np.tile(own.neutral(), (2, 1)), None, Noise(), command=np.array([3.0]), seed=5,
                            steps=20, dt=2e-3, every=10, opt="now"), "memory")  # fmt: skip
