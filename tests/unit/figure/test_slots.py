"""The public list of a figure's numbers: complete, in order, with shapes and units."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from anthropi.figure import Cylindrical, Link, Slot, figure_from_parts, numbers

HUMAN = ap.human(detail="simple27")


def test_slots_are_all_numbers_in_their_order():
    found = {slot.name: slot.shape for slot in HUMAN.slots()}
    assert found == {name: np.shape(values) for name, values in numbers(HUMAN).items()}
    assert list(found) == list(numbers(HUMAN))
    assert list(found)[:3] == ["torso.mass", "torso.centre", "torso.tensor"] and list(found)[-1] == "gravity"


def test_units_follow_the_degrees_of_freedom():
    joint = Cylindrical(name="bolt", axis="z", armature=0.1)
    figure = figure_from_parts("screw", [(None, joint, Link("nut", 1.0, (0.0, 0.0, 0.1), np.eye(3)))])
    slots = {slot.name: slot for slot in figure.slots()}
    assert slots["bolt.damping"] == Slot(
        "bolt.damping", (2,), "N s/m, N m s/rad", "viscous damping: bolt.slide, bolt.angle"
    )
    assert slots["bolt.origin"].unit == "m" and slots["nut.tensor"].unit == "kg m²"
    assert slots["nut.mass"] == Slot("nut.mass", (1,), "kg", "mass of the link")
    assert slots["gravity"].unit == "m/s²"


def test_every_slot_can_be_replaced_and_compiled():
    names = [slot.name for slot in HUMAN.slots()]
    values = np.concatenate([numbers(HUMAN)[name] for name in names])
    assert HUMAN.with_numbers(names, values).key == HUMAN.key
    kernel = ap.compile(ap.dynamics.potential_energy, HUMAN, parameters=names, opt=0)
    got = kernel(values, HUMAN.neutral())
    assert got == pytest.approx(ap.dynamics.potential_energy(HUMAN, HUMAN.neutral()), rel=1e-12)  # 27 dof, float64


def test_an_unknown_slot_is_answered_with_those_there_are():
    with pytest.raises(InputError, match=r"'torso\.weight'.*'torso' has: torso\.mass \(1,\).*figure\.slots\(\)"):
        ap.compile(ap.mass_matrix, HUMAN, parameters=("torso.weight",))
    with pytest.raises(InputError, match=r"A slot is link\.mass, .* joint\.armature or gravity"):
        HUMAN.with_numbers("nothing", [1.0])
