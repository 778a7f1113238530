"""Arrays of other libraries: the types of the inputs decide those of the results, and no number changes."""

import sys
import types

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError
from kernels.tapes import bits, samples, tape


class Foreign:
    """An array of a library that speaks DLPack."""

    requires_grad, device = False, "cpu"

    def __init__(self, array):
        self.inside = array

    def __array__(self, dtype=None, copy=None):
        if self.requires_grad:
            raise RuntimeError("no numbers while gradients are recorded")
        if self.device != "cpu":
            raise TypeError("not on the host")
        return self.inside

    def __dlpack__(self, **options):
        return self.inside.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.inside.__dlpack_device__()


Foreign.__module__ = "foreign"


@pytest.fixture(autouse=True)
def library(monkeypatch):
    """The library, which is never imported by name."""
    module = types.ModuleType("foreign")
    module.from_dlpack = lambda array: Foreign(np.from_dlpack(array))
    monkeypatch.setitem(sys.modules, "foreign", module)
    return module


def inside(value):
    return tuple(x.inside for x in value)


def test_kernels_return_arrays_of_the_same_library():
    kernel = ap.build(tape("choices"), opt=0)
    for arrays in (samples("choices", 4), [a[3] for a in samples("choices", 4)]):
        wanted = kernel(*arrays)
        assert bits(inside(kernel(*map(Foreign, arrays)))) == bits(wanted)
        assert bits(inside(kernel(arrays[0], Foreign(arrays[1])))) == bits(wanted)


def test_entry_points_return_arrays_of_the_same_library():
    figure, rng = ap.sample("floating_arm6"), np.random.default_rng(0)
    q, (u, tau) = figure.random(rng), rng.normal(size=(2, figure.nu))
    wanted = ap.direct_dynamics(figure, q, u, tau)
    for _ in range(3):
        assert bits(ap.direct_dynamics(figure, Foreign(q), u, tau=Foreign(tau)).inside) == bits(wanted)
        assert bits(ap.dynamics.kinetic_energy(figure, Foreign(q), u).inside) == bits(
            ap.dynamics.kinetic_energy(figure, q, u)
        )
    assert isinstance(ap.kinematics(figure, Foreign(q)).position, np.ndarray)  # a view with names, not an array
    with pytest.raises(InputError, match="'u' holds nan at"):
        ap.direct_dynamics(figure, q, Foreign(u * np.nan), tau)


def test_what_cannot_be_read_is_explained(monkeypatch):
    kernel, figure = ap.build(tape("choices"), opt=0), ap.sample("pendulum")
    x = Foreign(np.ones(3))
    other = types.ModuleType("other")
    other.from_dlpack = None
    kind = type("Other", (Foreign,), {"__array_namespace__": lambda self: other})
    with pytest.raises(InputError, match=r"The arrays belong to foreign and other\. Give arrays of one library"):
        kernel(x, kind(np.ones(3)))
    for name, value, words in (
        ("requires_grad", True, "give x.detach()"),
        ("device", "cuda:0", "on the device cuda:0"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(Foreign, name, value)
            for call in (lambda: kernel(x, x), lambda: ap.mass_matrix(figure, x)):
                with pytest.raises(InputError) as caught:
                    call()
                assert words in str(caught.value)


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_real_libraries(name):
    """Only where they are installed."""
    numpy_like = pytest.importorskip("torch" if name == "torch" else "jax.numpy")
    make = numpy_like.from_dlpack
    kernel = ap.build(tape("choices"), precision="float32", opt=0)
    arrays = [a.astype(np.float32) for a in samples("choices", 4)]
    wanted, found = kernel(*arrays), kernel(*map(make, arrays))
    assert all(type(x) is type(make(arrays[0])) for x in found)
    assert bits(tuple(map(np.asarray, found))) == bits(wanted)
    single = kernel(*(make(a[3]) for a in [x.copy() for x in arrays]))
    assert bits(tuple(map(np.asarray, single))) == bits(tuple(x[3] for x in wanted))
    figure, rng = ap.sample("floating_arm6"), np.random.default_rng(0)
    states = [np.stack([figure.random(rng) for _ in range(3)]), *rng.normal(size=(2, 3, figure.nu))]
    wanted = ap.direct_dynamics(figure, *states)
    found = np.asarray(ap.direct_dynamics(figure, *map(make, states)))  # jax makes float32 of it by default
    assert np.allclose(found, wanted, rtol=1e-6, atol=1e-6 * np.abs(wanted).max())
