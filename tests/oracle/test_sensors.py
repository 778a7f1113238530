"""Inertial units against MuJoCo's accelerometer and gyroscope, at random states of a tree of joints."""

import mujoco
import numpy as np
import pytest

import anthropi as ap
from anthropi.algorithms.kinematics import kinematics

MODEL = """
<mujoco><option gravity="0.3 -0.2 -9.81"/><worldbody>
<body name="base" pos="0 0 1"><freejoint/><inertial pos="0.02 0 0.01" mass="2" diaginertia="0.02 0.03 0.04"/>
 <body name="arm" pos="0.1 0.2 0.1" euler="20 30 40"><joint type="ball"/>
  <inertial pos="0 0 0.1" mass="1" diaginertia="0.01 0.02 0.03"/>
  <body name="hand" pos="0 0.05 0.3" euler="-10 50 5"><joint type="hinge" axis="0 1 0"/>
   <inertial pos="0.05 0 0" mass="0.5" diaginertia="0.001 0.002 0.0025"/>
   <site name="imu" pos="0.04 -0.03 0.06" euler="15 -25 35"/>
  </body></body></body></worldbody>
<sensor><accelerometer site="imu"/><gyro site="imu"/></sensor></mujoco>
"""


@pytest.mark.parametrize("seed", range(4))
def test_specific_force_and_angular_velocity(seed, tmp_path):
    file = tmp_path / "tree.xml"
    file.write_text(MODEL)
    figure, rng = ap.load(file), np.random.default_rng(seed)
    model = mujoco.MjModel.from_xml_string(MODEL)
    data, q, u = mujoco.MjData(model), figure.random(rng), 2.0 * rng.normal(size=figure.nu)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, u, rng.normal(size=figure.nu)
    mujoco.mj_forward(model, data)
    k = kinematics(figure, q, u, data.qacc)
    site = model.site("imu")
    C = np.zeros(9)
    mujoco.mju_quat2Mat(C, site.quat)
    found = ap.sensors.imu_values(figure, k, ("hand", site.pos), C.reshape(3, 3))
    np.testing.assert_allclose(found, data.sensordata, rtol=1e-12, atol=1e-11)  # accelerations of 1e2 m/s², float64
