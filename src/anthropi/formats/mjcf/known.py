"""Which elements and attributes of MJCF this reader takes in, which it notes and leaves, which it refuses.

Each attribute of an element is read, quiet (looks, or the settings of another solver), or noted (it has to do with
motion and a figure does not hold it). Any other is refused: a misspelt attribute is never dropped.
"""

from anthropi.errors import FormatError, did_you_mean
from anthropi.formats.reading import Notes
from anthropi.formats.xml import Node

__all__ = ["BODY_PARTS", "ELSEWHERE", "SECTIONS", "check_attributes", "refuse_element"]

ORIENTATION = ("quat", "axisangle", "euler", "xyaxes", "zaxis")

READ = {
    "mujoco": "model",
    "compiler": """angle autolimits balanceinertia boundinertia boundmass coordinate eulerseq inertiafromgeom
        inertiagrouprange meshdir assetdir settotalmass strippath alignfree fusestatic discardvisual""",
    "option": "gravity wind magnetic density viscosity",
    "body": "name pos childclass mocap gravcomp " + " ".join(ORIENTATION),
    "frame": "name pos childclass " + " ".join(ORIENTATION),
    "worldbody": "name childclass",
    "inertial": "pos mass diaginertia fullinertia " + " ".join(ORIENTATION),
    "joint": "name class type axis pos range limited stiffness damping armature ref springref springdamper",
    "freejoint": "name align",
    "geom": "name class type size fromto pos mass density mesh rgba material group shellinertia "
    + " ".join(ORIENTATION),
    "site": "name class pos fromto " + " ".join(ORIENTATION),
    "default": "class",
    "include": "file",
    "connect": "name class active anchor body1 body2 site1 site2",
    "weld": "name class active anchor relpose body1 body2 site1 site2",
}
QUIET = {
    "compiler": """fitaabb usethread texturedir saveinertial savecanonical savecompiled passthrough exactmeshinertia
        conflict""",
    "body": "user sleep simple fuse",
    "joint": "group user margin solimplimit solreflimit solimpfriction solreffriction",
    "freejoint": "group",
    "geom": """user conaffinity condim contype friction gap margin priority solimp solmix solref castshadow fitscale
        hfield""",
    "site": "group material rgba size type user mesh",
    "connect": "solimp solref",
    "weld": "solimp solref torquescale",
}
NOTED = {
    "joint": "frictionloss actuatorfrclimited actuatorfrcrange actuatorgravcomp springyield",
    "geom": "adhesion fluidshape fluidcoef surfacevel",
}
_OPTION_QUIET = """actuatorgroupdisable ccd_iterations ccd_tolerance cone impratio integrator iterations jacobian
    ls_iterations ls_tolerance noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints
    sdf_iterations sleep_tolerance solver timestep tolerance apirate mpr_iterations mpr_tolerance collision"""
QUIET["option"] = _OPTION_QUIET

NUMBERS = """pos quat axisangle euler xyaxes zaxis axis range stiffness damping armature ref springref springdamper size
    fromto mass density rgba group frictionloss""".split()

SECTIONS = {  # top level: read here, or noted with whether it has to do with motion
    "compiler": None, "option": None, "default": None, "worldbody": None, "asset": None, "equality": None,
    "include": None,
    "size": False, "statistic": False, "visual": False, "custom": False, "keyframe": False, "sensor": False,
    "actuator": True, "tendon": True, "contact": True, "deformable": True, "extension": True,
}  # fmt: skip
BODY_PARTS = ("body", "frame", "inertial", "joint", "freejoint", "geom", "site", "camera", "light", "include")
ELSEWHERE = ("attach", "replicate", "composite", "flexcomp", "plugin", "model")  # MuJoCo's own compiler expands these
DEFAULTS = """mesh texture material joint geom site camera light pair equality tendon general motor position velocity
    intvelocity orientation pid damper cylinder muscle adhesion dcmotor default""".split()


def check_attributes(node: Node, notes: Notes, kind: str = "") -> None:
    """Refuse attributes nobody knows; note those that matter and are not part of a figure."""
    kind = kind or node.tag
    read, quiet, noted = (table.get(kind, "").split() for table in (READ, QUIET, NOTED))
    for name in node.attributes:
        if name in noted:
            notes.add(f"{node.file}: <{kind}>", f"'{name}' is not part of a figure")
        elif name not in read and name not in quiet:
            known = [*read, *quiet, *noted]
            raise FormatError(f"{node.where} has an unknown attribute '{name[:80]}'.{did_you_mean(name, known)} "
                              f"Known: {', '.join(known)}.")  # fmt: skip


def refuse_element(node: Node, inside: str, choices) -> None:
    """Refuse an element that is not in the subset, saying how to read it all the same."""
    if node.tag in ELSEWHERE:
        raise FormatError(f"{node.where} in <{inside}> is beyond this reader. MuJoCo's own compiler knows it: "
                          'load the file with by="mujoco" (needs the package mujoco).')  # fmt: skip
    tag = node.tag[:80]
    raise FormatError(f"{node.file}:{node.line}: unknown element <{tag}> in <{inside}>."
                      f"{did_you_mean(tag, choices)} Known: {', '.join(choices)}.")  # fmt: skip
