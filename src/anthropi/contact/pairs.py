"""Which links may touch each other?"""

from fnmatch import fnmatchcase
from typing import Any

from anthropi.algorithms.kinematics import kinematics
from anthropi.contact.features import listed
from anthropi.contact.material import Material
from anthropi.contact.rigid import FIXED, rigid_body
from anthropi.contact.solids import meet, solids
from anthropi.errors import InputError, did_you_mean
from anthropi.figure.editing.together import parts

__all__ = ["chosen_pairs", "pair_candidates"]


def chosen_pairs(figure, wanted) -> tuple[tuple[str, str], ...]:
    """Names of links that may touch each other, from names and patterns. Those that meet at rest are left out, but
    where both were named."""
    names = [link.name for link in figure.links]
    found: dict[tuple[str, str], bool] = {}
    if isinstance(wanted, str) and wanted != "*":
        raise InputError(f"pairs is {wanted!r}; give '*' for all, or pairs of names or patterns of links, as "
                         "[('l_hand', 'r_*')].")  # fmt: skip
    choices = "pairs of names or patterns of links, as [('l_hand', 'r_*')], or '*' for all"
    for entry in listed([("*", "*")] if isinstance(wanted, str) else wanted, (), "pairs", choices):
        if not isinstance(entry, (tuple, list)) or len(entry) != 2 or not all(isinstance(x, str) for x in entry):
            raise InputError(f"pairs holds {entry!r}; give pairs of names or patterns of links, as ('l_hand', 'r_*').")
        ones, others = (_matching(figure, pattern, names) for pattern in entry)
        sure = all(x in names for x in entry)
        if sure and _joined(figure, ones[0], others[0]):
            raise InputError(f"Links '{entry[0]}' and '{entry[1]}' of figure '{figure.name}' are neighbours, or one: "
                             "their joint holds them, and they cannot touch.")  # fmt: skip
        for i in ones:
            for j in others:
                key = (names[min(i, j)], names[max(i, j)])
                if not _joined(figure, i, j) and (sure or _apart(figure, min(i, j), max(i, j))):
                    found[key] = True
    return tuple(found)


def _matching(figure, pattern: str, names: list[str]) -> list[int]:
    found = [i for i, name in enumerate(names) if name == pattern or fnmatchcase(name, pattern)]
    if not found:
        raise InputError(f"No link '{pattern}' in figure '{figure.name}'.{did_you_mean(pattern, names)} Links: "
                         f"{', '.join(names)}.")  # fmt: skip
    return found


def _joined(figure, i: int, j: int) -> bool:
    """Whether two links are one body, or neighbours: a joint holds them. A free root holds nothing to the world, and
    figures do not hold each other."""
    a, b = rigid_body(figure, i), rigid_body(figure, j)
    return a == b or _hangs(figure, a, b, (i, j)) or _hangs(figure, b, a, (i, j))


def _hangs(figure, a: int, b: int, links) -> bool:
    """Whether the body a hangs on the body b by a joint."""
    if a == FIXED or rigid_body(figure, figure.parent[a]) != b:
        return False
    if b != FIXED:
        return True
    own = [part.name for part in parts(figure) if any(x in part.links for x in links)]
    return figure.joints[a].nu < 6 and len(own) < 2


def _apart(figure, i: int, j: int) -> bool:
    """Whether two links have shapes, and are apart in their figure's neutral configuration if they share one."""
    if not all(solids(figure.links[link]) for link in (i, j)):
        return False
    tops = [next((k for k in figure.path(link) if figure.joints[k].nu), -1) for link in (i, j)]
    if tops[0] != tops[1] or not figure.checked:
        return True
    k = kinematics(figure, figure.neutral())
    return all(float(c.touch(k, None).gap) > 0.0 for c in _between(figure, i, j, Material(), False))


def pair_candidates(scene) -> tuple[Any, ...]:
    """All candidates between links, in the order of `Scene.pairs`."""
    found: list[Any] = []
    for one, other in scene.pairs:
        i, j = scene.figure.link_index(one), scene.figure.link_index(other)
        found += _between(scene.figure, i, j, scene.between("", one, other), scene.edges)
    return tuple(found)


def _between(figure, i: int, j: int, material: Material, edges: bool) -> list:
    found: list[Any] = []
    for one in solids(figure.links[i]):
        for other in solids(figure.links[j]):
            found += meet(i, j, one, other, material, edges)
    ends = figure.links[i].name, figure.links[j].name
    number = "" if len(found) == 1 else ".{}"
    return [c._replace(name=f"{ends[c.a != i]}{number.format(k + 1)} on {ends[c.a == i]}") for k, c in enumerate(found)]
