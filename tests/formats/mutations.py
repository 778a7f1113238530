"""Valid files of every format, and ways to spoil them."""

import random
import re
from pathlib import Path

from formats.osim_samples import WHOLE as OSIM

TOML = """# a leg
format = "anthropi figure 1"
name = "leg"
root = "pelvis"
gravity = [0.0, 0.0, -9.81]

[[link]]
name = "pelvis"   # heavy
mass = 10.0
centre = [0.0, 0.0, 0.1]
tensor = [0.1, 0.1, 0.08]

[[link]]
name = "thigh"
size = [0.42, 0.12, 0.12]
density = 1050.0

[[link]]
name = "shank"
density = 1000.0
[[link.shape]]
kind = "capsule"
size = [0.05, 0.3]
origin = [0.0, 0.0, -0.2]
quaternion = [1.0, 0.0, 0.0, 0.0]
colour = [0.8, 0.6, 0.4]

[[link]]
name = "foot"
mass = 1.0
[[link.shape]]
kind = "box"
size = [0.2, 0.08, 0.05]

[[joint]]
name = "root"
type = "free"
child = "pelvis"

[[joint]]
name = "hip"
type = "euler"
order = "zxy"
parent = "pelvis"
child = "thigh"
origin = [0.0, 0.1, 0.0]
euler = { order = "xyz", angles = [0.1, 0.2, 0.3] }
lower = [-1.0, -0.5, -inf]
upper = [1.0, 0.5, inf]

[[joint]]
name = "knee"
type = "revolute"
axis = [0.0, 1.0, 0.0]
parent = "thigh"
child = "shank"
origin = [0.0, 0.0, -0.42]
angle_axis = { angle = 0.1, axis = [1.0, 0.0, 0.0] }
stiffness = 1.0
rest = 0.2
damping = 0.5
armature = 0.01
effort = 120.0
velocity = inf
[joint.stop]
type = "power"
k = 100.0
n = 3.0

[[joint]]
name = "ankle"
type = "composite"
parent = "shank"
child = "foot"
origin = [0.0, 0.0, -0.4]
[[joint.part]]
name = "flexion"
type = "revolute"
axis = "y"
[[joint.part]]
name = "slide"
type = "prismatic"
axis = "x"
origin = [0.0, 0.0, -0.05]
locked = 0.01

[[marker]]
name = "heel"
link = "foot"
point = [-0.05, 0.0, -0.02]

[[marker]]
name = "toe_direction"
link = "foot"
direction = [1.0, 0.0, 0.0]

[[loop]]
name = "tether"
kind = "point"
link_a = "foot"
link_b = ""
at_a = { origin = [0.1, 0.0, 0.0] }

[[coupling]]
name = "follow"
dof = "hip.x"
source = "knee"
coefficients = [0.01, 0.5, -0.1]

[state.position]
root = [0.0, 0.0, 0.9, 1.0, 0.0, 0.0, 0.0]
knee = 0.3
[state.velocity]
hip = [0.1, 0.2, 0.3]
[state.acceleration]
knee = 1.5
"""

URDF = """<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.2" rpy="0.1 0.2 0.3"/>
      <mass value="2.5"/>
      <inertia ixx="0.03" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.01"/>
    </inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry>
      <material name="grey"/></visual>
    <collision><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.005"/></inertial>
    <visual name="skin"><geometry><mesh filename="package://arm/meshes/lower.stl" scale="1 1 1"/></geometry></visual>
    <collision><geometry><box size="0.1 0.1 0.3"/></geometry></collision>
  </link>
  <link name="hand">
    <inertial><mass value="0.3"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial>
    <visual><geometry><sphere radius="0.04"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 0.5" rpy="0 0 1.57"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="100" velocity="3"/><dynamics damping="0.7" friction="0.1"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="lower"/><origin xyz="0 0 0.4"/><axis xyz="1 1 0"/>
  </joint>
  <joint name="wrist" type="prismatic">
    <parent link="lower"/><child link="hand"/><origin xyz="0 0 0.3"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.1" effort="10" velocity="1"/>
  </joint>
  <transmission name="t"><type>simple</type></transmission>
  <gazebo reference="hand"><material>Gazebo/Grey</material></gazebo>
</robot>
"""

MJCF = """<mujoco model="crawler">
  <compiler angle="degree" eulerseq="XYZ" autolimits="true" boundmass="0.001" settotalmass="12"/>
  <option gravity="0 0 -9.8" timestep="0.002"><flag contact="enable"/></option>
  <default>
    <geom type="capsule" density="900" size="0.05 0.1"/>
    <joint damping="0.5" armature="0.01"/>
    <default class="leg">
      <geom size="0.03"/>
      <joint axis="0 1 0" range="-45 45" stiffness="2"/>
      <site size="0.01"/>
      <default class="ankle"><joint pos="0 0 0.02" springref="10"/></default>
    </default>
  </default>
  <asset>
    <material name="skin" rgba="0.8 0.6 0.4 1"/>
    <texture name="t" builtin="flat" type="2d" width="8" height="8"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 0.1"/>
    <light pos="0 0 3"/>
    <body name="trunk" pos="0 0 1" euler="0 0 30">
      <freejoint name="root"/>
      <geom type="box" size="0.2 0.1 0.05" material="skin"/>
      <site name="back" pos="-0.2 0 0"/>
      <camera name="eye" pos="0 0 1"/>
      <body name="head" pos="0.25 0 0.1">
        <joint name="neck" type="ball"/>
        <geom type="sphere" size="0.08"/>
      </body>
      <frame pos="0.15 0.1 0" axisangle="1 0 0 10" childclass="leg">
        <body name="femur">
          <joint name="hip_x" axis="1 0 0"/>
          <joint name="hip_y" ref="5"/>
          <geom fromto="0 0 0 0 0 -0.3"/>
          <body name="tibia" pos="0 0 -0.3" xyaxes="1 0 0 0 1 0.1">
            <joint name="knee" class="ankle"/>
            <geom fromto="0 0 0 0 0 -0.3" mass="0.7"/>
            <site name="sole" pos="0 0 -0.3"/>
          </body>
        </body>
      </frame>
      <body name="tail" pos="-0.2 0 0" zaxis="0 1 1">
        <inertial pos="0 0 0.1" mass="0.5" diaginertia="0.01 0.01 0.002" quat="1 0.1 0 0"/>
        <joint name="tail" type="slide" axis="0 0 1" range="0 0.2"/>
        <geom type="ellipsoid" size="0.05 0.04 0.1"/>
      </body>
    </body>
  </worldbody>
  <equality><connect name="leash" body1="tail" anchor="0 0 0.1"/></equality>
  <actuator><motor joint="knee" gear="10"/></actuator>
  <keyframe><key name="start" qpos="0 0 1 1 0 0 0 1 0 0 0 0 0 0 0"/></keyframe>
</mujoco>
"""

SEEDS = {"toml": TOML, "urdf": URDF, "mjcf": MJCF, "osim": OSIM}
ENDING = {"toml": ".toml", "urdf": ".urdf", "mjcf": ".xml", "osim": ".osim"}
BAD_NUMBERS = [*"nan inf -inf 1e999 -1e999 1e308 1e200 1e-320 -0.0 0 -1 0x10 1_0 true".split(), "1" * 400, "", " "]
BAD_WORDS = """ " ' [ ] [[ ]] { } < > /> </ & &amp; &x; <!-- --> <![CDATA[ ]]> <?xml?> ../ /etc/passwd # = . , file mesh
    include world name type ball free floating planar hinge composite locked backward axis quat part shape default mimic
    equality connect weld frame replicate stop state class="leg" """.split()
NASTY = [
    *BAD_NUMBERS,
    *BAD_WORDS,
    "<!DOCTYPE a [<!ENTITY x 'y'>]>",
    "\x00",
    "\ud7ff",
    "é",
    "\x7f",
    "\n",
    " 1 2 3",
    "0 0 0",
]
NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
WORD = re.compile(r"[A-Za-z_]{2,}")


def spoiled(text: str, rng: random.Random, times: int) -> bytes:
    """The text after some random changes, as bytes; some changes are made to the bytes."""
    for _ in range(times):
        text = rng.choice((_number, _word, _lines, _cut, _insert, _swap))(text, rng)
    data = text.encode("utf-8", errors="surrogatepass")
    if rng.random() < 0.15 and data:
        at = rng.randrange(len(data))
        data = data[:at] + bytes(rng.randrange(256) for _ in range(rng.randrange(1, 4))) + data[at + rng.randrange(3) :]
    if rng.random() < 0.05:
        data = text.encode(rng.choice(("utf-16", "utf-32", "latin-1", "utf-7")), errors="replace")
    return data


def _somewhere(pattern: re.Pattern, text: str, rng: random.Random):
    found = list(pattern.finditer(text))
    return rng.choice(found) if found else None


def _number(text: str, rng: random.Random) -> str:
    at = _somewhere(NUMBER, text, rng)
    return text if at is None else text[: at.start()] + rng.choice(BAD_NUMBERS) + text[at.end() :]


def _word(text: str, rng: random.Random) -> str:
    at, other = _somewhere(WORD, text, rng), _somewhere(WORD, text, rng)
    if at is None or other is None:
        return text
    return text[: at.start()] + rng.choice((other.group(), rng.choice(NASTY))) + text[at.end() :]


def _lines(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return text
    start = rng.randrange(len(lines))
    end = min(len(lines), start + rng.randrange(1, 6))
    taken = lines[start:end]
    kind = rng.randrange(3)
    if kind == 0:
        return "".join(lines[:start] + lines[end:])
    to = rng.randrange(len(lines))
    if kind == 1:
        return "".join(lines[:to] + taken + lines[to:])
    rest = lines[:start] + lines[end:]
    to = rng.randrange(len(rest) + 1)
    return "".join(rest[:to] + taken + rest[to:])


def _cut(text: str, rng: random.Random) -> str:
    if not text:
        return text
    start = rng.randrange(len(text))
    return text[:start] + ("" if rng.random() < 0.2 else text[start + rng.randrange(1, 12) :])


def _insert(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(NASTY) + text[at:]


def _swap(text: str, rng: random.Random) -> str:
    a, b = _somewhere(WORD, text, rng), _somewhere(NUMBER, text, rng)
    if a is None or b is None:
        return text
    first, second = sorted((a, b), key=lambda m: m.start())
    if first.end() > second.start():
        return text
    return (text[: first.start()] + second.group() + text[first.end() : second.start()] + first.group()
            + text[second.end() :])  # fmt: skip


def written(folder: Path, kind: str, data: bytes | str, name: str = "figure") -> Path:
    """A file of a format with this content."""
    path = folder / f"{name}{ENDING[kind]}"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path
