"""What there is to choose from: samples, formats, joints, styles, all from the lists that AnthroPI itself goes by."""

from dataclasses import asdict

from anthropi import __version__
from anthropi.figure import JOINTS
from anthropi.figure.samples import SAMPLES
from anthropi.formats.toml.joints import ORDERS, OWN_KEYS
from anthropi.gait.determinants import DETERMINANTS, Determinants
from anthropi.gait.words import STYLES
from anthropi.studio.desk.examples import EXAMPLES
from anthropi.studio.desk.exports import exports
from anthropi.studio.live.things import gains
from anthropi.studio.messages import Choice, JointChoice, Welcome
from anthropi.studio.world import CONTACTS, TERRAINS

__all__ = ["welcome"]

THESIS = ("xyz", "yxz", "zxy", "xzy", "yzx", "zyx")  # the six orders of thesis 8.6 come first


def welcome(desk, opens) -> Welcome:
    """All of it."""
    samples = [Choice("human", "A person: height, mass, sex, detail."), *(_sample(name) for name in SAMPLES)]
    joints = [
        JointChoice(kind, OWN_KEYS.get(kind, ()), _dofs(kind)) for kind in (*JOINTS, "universal") if kind != "locked"
    ]
    return Welcome(
        version=__version__, samples=tuple(samples),
        examples=tuple(Choice(name, e.words, e.group) for name, e in EXAMPLES.items()), exports=exports(),
        opens=tuple(opens), joints=tuple(joints), orders=(*THESIS, *(o for o in ORDERS if o not in THESIS)),
        styles=tuple(Choice(name, style.why) for name, style in STYLES.items()),
        determinants={name: asdict(Determinants()[name]) for name in DETERMINANTS},
        terrains=TERRAINS, contacts=CONTACTS, gains=gains(),
        recovered="" if desk.recovery is None else desk.recovery.words,
    )  # fmt: skip


def _sample(name: str) -> Choice:
    words = (SAMPLES[name].__doc__ or "").strip().splitlines()
    return Choice(name, words[0] if words else "")


def _dofs(kind: str) -> int:
    """Degrees of freedom of a type of joint; 0 where parts decide."""
    if kind == "universal":
        return 2
    found = getattr(JOINTS[kind], "nu", 0)
    return found if isinstance(found, int) else 0
