"""Arrays of other libraries by the DLPack protocol, read and handed on without a copy (on the CPU)."""

import gc

import numpy as np
import pytest

from anthropi.compiler import dlpack
from anthropi.errors import InputError

torch = pytest.importorskip("torch")


class Own:
    """Memory that is handed on as a GPU array is."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __dlpack__(self, **_):
        return dlpack.exported(self, self.numbers.ctypes.data, self.numbers.shape, self.numbers.dtype, dlpack.CPU)

    def __dlpack_device__(self):
        return dlpack.CPU, 0


class Given:
    """A tensor whose library is asked for a capsule with a stream."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, stream):
        assert stream == dlpack.LEGACY_STREAM  # 0 is not allowed by the protocol
        return self.tensor.__dlpack__()


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_memory_is_handed_on_and_kept_until_it_is_released(precision):
    before = len(dlpack._handed)
    numbers = np.arange(6, dtype=precision).reshape(2, 3)
    tensor = torch.from_dlpack(Own(numbers))
    assert tensor.data_ptr() == numbers.ctypes.data
    assert len(dlpack._handed) == before + 1
    tensor[1, 2] = 9.0
    assert numbers[1, 2] == 9.0
    del tensor
    gc.collect()
    assert len(dlpack._handed) == before


def test_a_capsule_that_nobody_takes_releases_its_memory():
    before = len(dlpack._handed)
    capsule = Own(np.zeros(3)).__dlpack__()
    assert len(dlpack._handed) == before + 1
    del capsule
    assert len(dlpack._handed) == before


def test_strides_and_types_are_read():
    tensor = torch.arange(24.0).reshape(2, 3, 4).transpose(1, 2)[1:]
    found = dlpack.imported("q", Given(tensor), 0)
    assert (found.address, found.shape, found.strides) == (tensor.data_ptr(), (1, 4, 3), (12, 1, 4))
    assert (found.dtype, found.device) == (np.float32, dlpack.CPU)
    assert dlpack.imported("where", Given(torch.ones(5, dtype=torch.bool)), 0).dtype == bool


def test_what_cannot_be_read_is_named():
    with pytest.raises(InputError, match="'q' has numbers of a type that a kernel does not read"):
        dlpack.imported("q", Given(torch.zeros(3, dtype=torch.bfloat16)), 0)
    with pytest.raises(InputError, match=r"'q' of type .* cannot be read.*x\.detach\(\)"):
        dlpack.imported("q", torch.zeros(3, requires_grad=True), 0)
    assert not dlpack.on_gpu(torch.zeros(3))
    assert not dlpack.on_gpu(np.zeros(3))
