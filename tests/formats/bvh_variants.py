"""Variants of a real BVH walk as other programs write it: the same movement, other axes, units, names, zero poses.

A variant changes the frame of each joint by a constant rotation K, the world by a rotation T and the unit by a factor,

    R' = T R K,   offset' = s K_parentᵀ offset,   p' = s T p

so the places of the joints are those of the original, turned by T and scaled. Nothing of the package is used.
"""

import re

import numpy as np
from scipy.spatial.transform import Rotation

Y_UP_TO_Z_UP = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # (z forward, y up) to (x forward, z up)


class Capture:
    """Bones of a file: name, parent, offset, ends; rotations (frames, bones, 3, 3); root's place (frames, 3)."""

    def __init__(self, text, frames=30):
        head, _, tail = text.partition("MOTION")
        self.names, self.parent, self.offset, self.ends, channels, stack = [], [], [], [], [], []
        for line in head.splitlines():
            words = line.split()
            if not words:
                continue
            if words[0] in ("ROOT", "JOINT"):
                self.parent.append(stack[-1] if stack else -1)
                stack.append(len(self.names))
                self.names.append(words[1].rpartition(":")[2])
                self.ends.append([])
                self.offset.append(None)
                channels.append([])
            elif words[0] == "End":
                stack.append(-1)
            elif words[0] == "OFFSET":
                x = np.array(words[1:4], float)
                if stack[-1] < 0:
                    self.ends[stack[-2]].append(x)
                else:
                    self.offset[stack[-1]] = x
            elif words[0] == "CHANNELS":
                channels[stack[-1]] = words[2:]
            elif words[0] == "}":
                stack.pop()
        rows = np.array([row.split() for row in tail.strip().splitlines()[3:]], float)
        self.values = rows[:: max(1, len(rows) // frames)]
        self.local, column = [], 0
        for own in channels:
            turn = Rotation.identity(len(self.values))
            for c in own:
                x = self.values[:, column]
                column += 1
                if c.endswith("rotation"):
                    turn = turn * Rotation.from_euler(c[0].lower(), x[:, None], degrees=True)
            self.local.append(turn.as_matrix())
        order = [c[0] for c in channels[0] if c.endswith("position")]
        self.place = self.values[:, [order.index(a) for a in "XYZ"]]
        self.T, self.unit = np.eye(3), 1.0

    def at(self, name):
        return self.names.index(name)

    def world(self):
        """Places (frames, bones, 3) and rotations of all bones, in the axes and the unit of the variant."""
        C, p = [], []
        for k, up in enumerate(self.parent):
            C.append(self.local[k] if up < 0 else C[up] @ self.local[k])
            p.append(self.place if up < 0 else p[up] + (C[up] @ self.offset[k]))
        return np.stack(p, 1), np.stack(C, 1)

    def turned(self, T):
        """Other axes of the world."""
        self.T, self.place, self.local[0] = T @ self.T, self.place @ T.T, T @ self.local[0]
        return self

    def scaled(self, s):
        self.unit, self.place = s * self.unit, s * self.place
        self.offset, self.ends = [s * x for x in self.offset], [[s * x for x in own] for own in self.ends]
        return self

    def framed(self, K):
        """Another zero pose: K gives a rotation (3, 3) for each bone."""
        for k, up in enumerate(self.parent):
            self.local[k] = (self.local[k] if up < 0 else K[up].T @ self.local[k]) @ K[k]
            self.ends[k] = [K[k].T @ x for x in self.ends[k]]
        self.offset = [x if up < 0 else K[up].T @ x for x, up in zip(self.offset, self.parent, strict=True)]
        return self

    def posed(self, frame):
        """A zero pose in which the body is as in a frame."""
        return self.framed([C.T for C in self.world()[1][frame]])

    def renamed(self, names):
        self.names = [names(k, name) for k, name in enumerate(self.names)]
        return self

    def below(self, name, child):
        """Give the rotation of a bone to a new child, to which all its children now belong."""
        k = self.at(name)
        self.names.insert(k + 1, child)
        self.parent = [p + (p > k) if p != k else k + 1 for p in self.parent]
        self.parent.insert(k + 1, k)
        self.offset.insert(k + 1, np.zeros(3))
        self.ends.insert(k + 1, self.ends[k])
        self.ends[k] = []
        self.local.insert(k + 1, self.local[k])
        self.local[k] = np.tile(np.eye(3), (len(self.place), 1, 1))
        return self

    def given_to_children(self, name):
        """Give the rotation of a bone to each of its children, with their places as channels."""
        k = self.at(name)
        C = self.local[k]
        self.local[k] = np.tile(np.eye(3), (len(self.place), 1, 1))
        moved = {}
        for child, up in enumerate(self.parent):
            if up == k:
                self.local[child] = C @ self.local[child]
                moved[child] = C @ self.offset[child]
        return moved

    def text(self, order="ZXY", six=False, moved=None, prop="", zero_offsets=False):
        """The text of the file. six : three positions in every joint. moved : {bone: offsets (frames, 3)}."""
        moved, lines, columns, frames = moved or {}, ["HIERARCHY"], [], len(self.place)
        children = {k: [c for c, up in enumerate(self.parent) if up == k] for k in range(len(self.names))}
        rotations = [f"{a}rotation" for a in order]

        def bone(k, pad):
            lines.append(f"{pad}{'JOINT' if pad else 'ROOT'} {self.names[k]}\n{pad}{{")
            places = six or k == 0 or k in moved
            offset = np.zeros(3) if k == 0 or k in moved or (six and zero_offsets) else self.offset[k]
            lines.append(f"{pad} OFFSET {' '.join(f'{x:.8g}' for x in offset)}")
            own = (["Xposition", "Yposition", "Zposition"] if places else []) + rotations
            lines.append(f"{pad} CHANNELS {len(own)} {' '.join(own)}")
            if places:
                still = np.tile(self.offset[k], (frames, 1))
                columns.append(self.place if k == 0 else moved.get(k, still))
            columns.append(Rotation.from_matrix(self.local[k]).as_euler(order, degrees=True))
            for child in children[k]:
                bone(child, pad + " ")
            if not children[k] or self.ends[k]:
                for end in self.ends[k] or [np.zeros(3)]:
                    lines.append(
                        f"{pad} End Site\n{pad} {{\n{pad}  OFFSET {' '.join(f'{x:.8g}' for x in end)}\n{pad} }}"
                    )
            lines.append(pad + "}")

        bone(0, "")
        if prop:
            lines.append(f"ROOT {prop}\n{{\n OFFSET 0 0 0\n CHANNELS 3 Xposition Yposition Zposition\n End Site\n {{")
            lines.append("  OFFSET 1 0 0\n }\n}")
            columns.append(np.ones((frames, 3)))
        rows = [" ".join(f"{x:.8g}" for x in row) for row in np.concatenate(columns, 1)]
        return re.sub(r"\n+", "\n", "\n".join([*lines, "MOTION", f"Frames: {frames}", "Frame Time: 0.08", *rows, ""]))
