"""One small URDF file for each feature of real files that a strict reader refuses."""

__all__ = ["FEATURES", "robot"]

INERTIAL = (
    '<inertial><origin xyz="0.02 0.01 -0.2" rpy="0.1 0.2 0.3"/><mass value="1.5"/>'
    '<inertia ixx="0.02" ixy="0.001" ixz="-0.002" iyy="0.025" iyz="0.0005" izz="0.01"/></inertial>'
)


def inertial(mass, xx, yy, zz, xy=0.0, origin="0.1 0 -0.1") -> str:
    return (
        f'<inertial><origin xyz="{origin}"/><mass value="{mass}"/>'
        f'<inertia ixx="{xx}" ixy="{xy}" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/></inertial>'
    )


def joint(name, parent, child, kind="revolute", more="", axis="0 1 0") -> str:
    limit = '<limit lower="-2" upper="2.5" effort="120" velocity="4"/>' if kind in ("revolute", "prismatic") else ""
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0.05 0 -0.4" rpy="0.2 -0.1 0.3"/><axis xyz="{axis}"/>{limit}{more}</joint>'
    )


def robot(top="", base=INERTIAL, upper=INERTIAL, lower=INERTIAL, elbow="", more="", attributes="", hand="") -> str:
    """A base, an upper arm, a forearm and a hand welded to the forearm. The arguments are put inside the elements."""
    return (
        f'<?xml version="1.0"?>\n<robot name="arm"{attributes}>{top}\n'
        f'<link name="base">{base}</link>\n<link name="upper">{upper}</link>\n<link name="lower">{lower}</link>\n'
        f'<link name="hand">{hand}</link>\n{joint("shoulder", "base", "upper")}\n'
        f"{joint('elbow', 'upper', 'lower', more=elbow, axis='0.3 0.9 0.1')}\n"
        f"{joint('wrist', 'lower', 'hand', 'fixed')}\n{more}\n</robot>\n"
    )


def finger(name: str, mimic: str, kind="revolute") -> str:
    return f'<link name="{name}_link">{INERTIAL}</link>' + joint(name, "hand", f"{name}_link", kind, mimic, "1 0 0")


BOX = '<geometry><box size="0.1 0.1 0.4"/></geometry>'
FLAT = inertial(0.4, 0.001, 0.001, 0.5)  # breaks the triangle inequality
NEGATIVE = inertial(0.4, 0.001, -0.002, 0.001)

FEATURES: dict[str, str] = {
    "mujoco": robot('<mujoco><compiler meshdir="../meshes" balanceinertia="true"/></mujoco>'),
    "mimic": robot(more=finger("one", "") + finger("two", '<mimic joint="one" multiplier="-0.7" offset="0.2"/>')),
    "mimic of a mimic": robot(
        more=finger("three", '<mimic joint="two" multiplier="0.5"/>', "prismatic")
        + finger("two", '<mimic joint="elbow" offset="-0.1"/>')
    ),
    "joint_properties": robot(elbow='<joint_properties damping="1.0" friction="0.5"/>'),
    "material in collision": robot(
        upper=f'{INERTIAL}<collision>{BOX}<material name="steel"><color rgba="1 0 0 1"/></material></collision>'
    ),
    "drake with a namespace": robot(
        upper=f"{INERTIAL}<collision>{BOX}<drake:proximity_properties/></collision>",
        attributes=' xmlns:drake="http://drake.mit.edu"',
    ),
    "drake without a namespace": robot(
        '<drake:joint name="ball" drake:kind="ball"/>',
        upper=f"{INERTIAL}<collision>{BOX}<drake:proximity_properties/></collision>",
    ),
    "frame": robot(more='<frame name="tip" link="hand" xyz="0 0 0.1" rpy="0 0 0"/>'),
    "specular": robot(
        '<material name="m"><color rgba="1 0 0 1"/><specular rgba="1 1 1 1"/></material>',
        upper=f'{INERTIAL}<visual>{BOX}<material name="m"><specular rgba="1 1 1 1"/></material></visual>',
    ),
    "dont_collapse": robot().replace('name="wrist" type="fixed"', 'name="wrist" type="fixed" dont_collapse="true"'),
    "unknown elements and attributes": robot('<param name="x"/><plugin><a><b/></a></plugin>', attributes=' v="1"'),
    "an element twice": robot(elbow='<axis xyz="1 0 0"/><dynamics damping="0.1"/><dynamics damping="9"/>'),
    "a plane as shape": robot(base=f'{INERTIAL}<collision><geometry><plane normal="0 0 1"/></geometry></collision>'),
    "a size of 0": robot(upper=f'{INERTIAL}<visual><geometry><box size="0 0.1 0.1"/></geometry></visual>'),
    "a tensor that is flat, on a welded link": robot(hand=inertial(0.1, 0.0001, 0.0001, 0.0004)),
    "a negative moment, on a welded link": robot(hand=inertial(0.1, 0.0001, -0.0001, 0.0001)),
    "a tensor without mass, on a welded link": robot(hand=inertial(0, 0.0001, 0.0001, 0.0001)),
    "a point mass": robot(lower=inertial(0.7, 0, 0, 0)),
    "a rod": robot(lower=inertial(0.7, 0.01, 0.01, 0)),
    "a massless link": robot(lower="", hand=INERTIAL),
    "mass 0 without a tensor": robot(lower=inertial(0, 0, 0, 0), hand=INERTIAL),
    "a tensor that no body has, on the base": robot(base=FLAT),
    "nothing with mass beyond a joint": robot(more=f'<link name="cam"/>{joint("tilt", "hand", "cam")}'),
    "a tensor without mass": robot(lower=inertial(0, 0.001, 0.002, 0.0025)),
    "effort and velocity": robot(),
    "a link world": robot(more='<link name="world"/>' + joint("fix", "world", "base", "fixed")),
}

REPAIRED: dict[str, str] = {  # read with other inertias than in the file, and a warning
    "a tensor that is flat": robot(lower=FLAT),
    "a negative moment": robot(lower=NEGATIVE),
    "a tensor that is flat, and a link welded to it": robot(lower=FLAT, hand=inertial(0.1, 0.001, 0.001, 0.001)),
}

REAL = robot(  # many features in one file, for fuzzing
    '<mujoco><compiler/></mujoco>\n<drake:joint name="ball"/>\n<material name="m"><color rgba="1 0 0 1"/></material>',
    upper=f'{FLAT}<visual>{BOX}<material name="m"/></visual><collision>{BOX}<material name="m"/></collision>',
    lower=f'{NEGATIVE}<visual><geometry><mesh filename="package://arm/a.stl" scale="1 1 1"/></geometry></visual>',
    hand=inertial(0, 0.0001, 0.0001, 0.0001),
    elbow='<joint_properties damping="1.0"/><dynamics damping="0.1" friction="0.2"/>',
    more="\n".join([
        finger("three", '<mimic joint="two" multiplier="0.5"/>', "prismatic"),
        finger("two", '<mimic joint="elbow" offset="-0.1"/>', "continuous"),
        f'<link name="cam"/>\n{joint("tilt", "hand", "cam")}',
        f'<link name="world"/>\n{joint("fix", "world", "base", "fixed")}',
    ]),
)  # fmt: skip
