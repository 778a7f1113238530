"""Where joints are in a BVH file, straight from the definition of the format, with a parser of its own.

A joint's place is its parent's, plus what the parent's axes make of OFFSET + position channels; its axes are its
parent's times its rotations, in the order in which its channels name them. All in the file's units and axes.
"""

import numpy as np


def joints(text: str, replace: bool = False):
    """({name: (frames, 3)}, values (frames, channels)) of a file without doubled names; end sites are "name end".

    replace : whether position channels take the place of the offset.
    """
    head, _, tail = text.partition("MOTION")
    words, values = head.split(), np.array([line.split() for line in tail.strip().splitlines()[2:]], float)
    places, column = {}, 0
    stack, k = [], 0
    while k < len(words):
        word = words[k]
        if word in ("ROOT", "JOINT", "End"):
            name = words[k + 1] if word != "End" else f"{stack[-1]['name']} end"
            stack.append({"name": name, "channels": [], "up": stack[-1] if stack else None})
            k += 1
        elif word == "OFFSET":
            stack[-1]["offset"] = np.array(words[k + 1 : k + 4], float)
            k += 3
        elif word == "CHANNELS":
            n = int(words[k + 1])
            stack[-1]["channels"] = words[k + 2 : k + 2 + n]
            k += 1 + n
        elif word == "}":
            stack.pop()
        if stack and "offset" in stack[-1] and "place" not in stack[-1] and words[k + 1] not in ("CHANNELS", "OFFSET"):
            column = place(stack[-1], values, column, replace)
            places[stack[-1]["name"]] = stack[-1]["place"]
        k += 1
    return places, values


def place(joint, values, column: int, replace: bool) -> int:
    """Give a joint its place and axes; the first column after its own."""
    own = np.tile(joint["offset"], (len(values), 1))
    axes = np.tile(np.eye(3), (len(values), 1, 1))
    for channel in joint["channels"]:
        x, axis = values[:, column], "XYZ".index(channel[0])
        column += 1
        if channel.endswith("position"):
            own[:, axis] = x + (0.0 if replace else joint["offset"][axis])
        else:
            c, s = np.cos(np.radians(x)), np.sin(np.radians(x))
            i, j = (axis + 1) % 3, (axis + 2) % 3
            turn = np.tile(np.eye(3), (len(values), 1, 1))
            turn[:, i, i] = turn[:, j, j] = c
            turn[:, i, j], turn[:, j, i] = -s, s
            axes = np.einsum("nij,njk->nik", axes, turn)
    above = joint["up"]
    joint["place"] = own if above is None else above["place"] + np.einsum("nij,nj->ni", above["axes"], own)
    joint["axes"] = axes if above is None else np.einsum("nij,njk->nik", above["axes"], axes)
    return column
