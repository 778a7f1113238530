"""A standing human withstands a push and falls after a harder one: contact forces.

Springs and dampers hold the joints; contact and friction hold the feet. All of them are implicit, in one kernel. At the
second push the joints become passive, with limits only. Writes out/pushed_human.png, and out/pushed_human.html, a page
that plays the motion.
"""

import numpy as np
from _charts import carried

import anthropi as ap
from anthropi.contact.limits import human_limits
from anthropi.simulation.drive import Drive

FIRST, SECOND, LASTS = 0.5, 2.5, 0.1  # [s]
LIGHT = ("shoulder", "clavicle", "elbow", "wrist", "neck", "head", "toe")


class Stand:
    """Controller that holds a pose, applies two pushes at the thorax, and releases the joints at the second."""

    parameters, memory, prescribed = {"first": 150.0, "second": 500.0, "kp": 900.0, "kd": 60.0}, {}, ()

    def __init__(self, figure, pose):
        weak = [any(word in dof for word in LIGHT) for dof in figure.dofs]
        self.pose, self.share = pose, np.where(weak, 0.08, 1.0) * (np.arange(figure.nu) >= 6)

    def __call__(self, figure, sense, memory, parameters):
        limp = ap.scalar.where(ap.scalar.less(SECOND, sense.t), 0.02, 1.0)
        push = sum(self._at(when, parameters[name], sense.t) for when, name in ((FIRST, "first"), (SECOND, "second")))
        C = sense.kinematics.rotation[figure.link_index("thorax")]
        force = C.T @ np.array([push, 0.3 * push, 0.0])
        kp, kd = parameters["kp"] * limp * self.share, parameters["kd"] * (limp + 0.05) * self.share
        f_ext = {"thorax": np.concatenate([np.zeros(3), force])}
        return Drive(target=self.pose, kp=kp, kd=kd, f_ext=f_ext), memory

    @staticmethod
    def _at(begin, force, t):
        return ap.scalar.where(ap.scalar.less(begin, t) & ap.scalar.less(t, begin + LASTS), force, 0.0)


def check(motion, height):
    assert height[motion.time < SECOND].min() > 0.95 * height[0], "the figure withstands the first push"
    assert height[-1] < 0.3 * height[0], "the figure falls after the second push"
    load = motion.channels["contact"][..., 2].sum(-1) / (9.81 * motion.figure.mass)
    assert abs(load[(motion.time > 0.3) & (motion.time < FIRST)] - 1.0).max() < 0.01 and abs(load[-1] - 1.0) < 0.05


if __name__ == "__main__":
    figure = ap.human()
    pose = ap.standing(figure)
    scene = ap.Scene(figure, limits=human_limits(figure))
    motion = ap.simulate(scene, pose, forces=Stand(figure, pose), duration=5.0, every=10)
    height = ap.centre_of_mass(figure, motion.q).position[:, 2]
    check(motion, height)
    carried("out/pushed_human.png", motion, height)
    words = "Stands, is pushed, stands, is pushed harder, falls. Drag to turn, scroll to come nearer, space to play."
    motion.export("out/pushed_human.html", title="Pushed human", caption=words, view=(-70, 8))
