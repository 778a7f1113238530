"""Arrays of other libraries on an NVIDIA GPU: taken and given there, with the bits of the CPU (make gpu)."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.compiler.targets import cuda
from anthropi.errors import InputError

pytestmark = pytest.mark.gpu
torch = pytest.importorskip("torch")
MANY = 100


@pytest.fixture
def no_copies(monkeypatch):
    """Copies between this process and the GPU raise an error, but for the first upload of a constant row."""

    def refuse(*_, **__):
        raise AssertionError("a copy between this process and the GPU")

    def arm():
        monkeypatch.setattr(cuda, "to_host", refuse)
        monkeypatch.setattr(cuda, "to_device", refuse)
        monkeypatch.setattr(cuda.Array, "read", refuse)
        monkeypatch.setattr(cuda.Array, "write", refuse)

    return arm


def states(figure, seed=0):
    rng = np.random.default_rng(seed)
    q = np.stack([figure.random(rng) for _ in range(MANY)])
    return q, rng.normal(size=(MANY, figure.nu)), rng.normal(size=(MANY, figure.nu))


def there(array, dtype=torch.float64):
    return torch.tensor(array, device="cuda", dtype=dtype)


def test_an_entry_point_computes_where_the_arrays_are(no_copies):
    figure = ap.sample("bench42")
    given = states(figure)
    wanted = ap.direct_dynamics(figure, *given)
    moved = [there(a) for a in given]
    ap.direct_dynamics(figure, *moved)
    no_copies()
    found = ap.direct_dynamics(figure, *moved)
    assert found.is_cuda and found.dtype == torch.float64
    M = ap.mass_matrix(figure, moved[0])
    torch.cuda.synchronize()
    monkey = found.cpu().numpy()
    assert monkey.tobytes() == wanted.tobytes()
    assert M.shape == (MANY, figure.nu, figure.nu)


@pytest.mark.parametrize("order", ["strided", "fortran", "float32", "single", "mixed"])
def test_any_memory_order_is_read(order):
    kernel = ap.build(ap.record(lambda A, x: A @ x, A=np.zeros((3, 4)), x=np.zeros(4)), target="gpu")
    rng = np.random.default_rng(1)
    A, x = rng.normal(size=(MANY, 3, 4)), rng.normal(size=(MANY, 4))
    if order == "float32":
        A, x = A.astype(np.float32), x.astype(np.float32)
    wanted = kernel(A, x)
    if order == "strided":
        given = there(np.repeat(A, 2, 2))[:, :, ::2], there(np.repeat(x, 3, 0))[::3]
    elif order == "fortran":
        given = there(A.transpose(2, 1, 0).copy()).permute(2, 1, 0), there(x.T.copy()).T
    elif order == "float32":
        given = there(A, torch.float32), there(x, torch.float32)
    elif order == "single":
        given, wanted = (there(A[5]), there(x[5])), wanted[5]
    else:
        given = there(A), x[0]
        wanted = kernel(A, x[0])
    found = kernel(*given)
    assert found.shape == wanted.shape
    assert found.cpu().numpy().tobytes() == wanted.tobytes()


def test_streams_are_respected():
    """A kernel called in a stream reads what was put into this stream before, and is read after it."""
    kernel = ap.build(ap.record(lambda x: 2.0 * x, x=np.zeros(3)), target="gpu")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        x = torch.zeros(1 << 15, 3, device="cuda", dtype=torch.float64)
        for _ in range(200):
            x = x + 1.0
        y = kernel(x) + 0.0
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda.current_stream().wait_stream(side)
        z = kernel(y)
    torch.cuda.synchronize()
    assert (y == 400.0).all() and (z == 800.0).all()


def test_cupy_and_jax_arrays_come_back_as_such():
    kernel = ap.build(ap.record(lambda x: 2.0 * x, x=np.zeros(3)), target="gpu", precision="float32")
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    cupy = pytest.importorskip("cupy")
    found = kernel(cupy.asarray(x))
    assert isinstance(found, cupy.ndarray) and np.array_equal(cupy.asnumpy(found), 2.0 * x)
    jax = pytest.importorskip("jax")
    if jax.default_backend() == "gpu":
        found = kernel(jax.numpy.asarray(x))
        assert isinstance(found, jax.Array) and np.array_equal(np.asarray(found), 2.0 * x)


def test_wrong_arrays_are_refused():
    kernel = ap.build(ap.record(lambda x: 2.0 * x, x=np.zeros(3)), target="gpu")
    with pytest.raises(ap.AnthropiError, match=r"shape \(4, 2\)"):
        kernel(torch.zeros(4, 2, device="cuda"))
    with pytest.raises(InputError, match="Give float64 or float32"):
        kernel(torch.zeros(4, 3, device="cuda", dtype=torch.int32))
    with pytest.raises(InputError, match="detach"):
        kernel(torch.zeros(4, 3, device="cuda", requires_grad=True))
    here = ap.build(kernel.tape)
    with pytest.raises(InputError, match="target='gpu'"):
        here(torch.zeros(4, 3, device="cuda"))


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_simulation_stays_on_the_gpu(no_copies, precision):
    """Steps, inputs, a reset of some rollouts and parameters: no copy through this process, the bits of the CPU."""
    figure = ap.sample("biped")
    hold = ap.controllers.Hold(figure, figure.neutral(), 300.0, 10.0)
    dtype = getattr(torch, precision)
    q = np.tile(figure.neutral(), (MANY, 1))
    q[:, 2] += np.linspace(0.9, 1.2, MANY)
    rng = np.random.default_rng(0)
    tau = rng.normal(size=(3, MANY, figure.nu)).astype(precision)
    where = rng.random(MANY) < 0.4
    kp = np.linspace(100.0, 500.0, MANY).astype(precision)
    masses = np.linspace(1.0, 2.0, MANY).astype(precision)[:, None]
    slot = f"{figure.links[1].name}.mass"

    def course(sim, move):
        sim.reset(q)
        sim.step(5, tau=move(tau[0]))
        moved = [
            move(q.astype(precision)),
            move(np.zeros((MANY, figure.nu), precision)),
            move(where),
            move(kp),
            move(masses),
        ]
        yield
        sim.reset(moved[0], moved[1], where=moved[2])
        sim.set_parameters({"kp": moved[3], slot: moved[4]}, where=moved[2])
        for k in (1, 2):
            sim.step(5, tau=move(tau[k]))
        yield

    options = {"batch": MANY, "precision": precision, "slots": (slot,)}
    here = ap.Simulation(ap.Scene(figure), hold, opt=0, **options)
    far = ap.Simulation(ap.Scene(figure), hold, target="gpu", **options)
    for _ in course(here, lambda x: x):
        pass
    steps = course(far, lambda x: torch.tensor(x, device="cuda"))
    next(steps)
    own = here.controller_parameters()["kp"].astype(precision)
    far.set_parameters(
        {"kp": own * np.linspace(1.0, 1.0 + 1e-3, MANY).astype(precision)}
    )  # differ: not in constant memory
    far.set_parameters({slot: np.linspace(1.0, 1.1, MANY)[:, None]})
    none = torch.zeros(MANY, figure.nu, device="cuda", dtype=dtype)
    far.step(0, tau=none)
    far.set_parameters({"kp": own, slot: here.parameter_rows()["parameters"]})
    far.step(0, tau=none)
    far.reset(torch.tensor(q, device="cuda", dtype=dtype), where=np.zeros(MANY, bool))  # uploads the constant rows once
    no_copies()
    next(steps)
    found = {name: torch.from_dlpack(getattr(far, name)).clone() for name in ("q", "u")}
    forces = torch.from_dlpack(far.contacts.forces).clone()
    torch.cuda.synchronize()
    for name, tensor in found.items():
        assert np.array_equal(tensor.cpu().numpy(), getattr(here, name).astype(precision)), name
    assert np.array_equal(forces.cpu().numpy(), here.contacts.forces.astype(precision))


def test_steps_of_many_figures_are_differentiated_on_the_gpu(no_copies):
    """4,096 figures make steps with contact and are differentiated without a copy through this process."""
    from anthropi.contact import Compliant

    many, figure = 4096, ap.sample("hopper", leg="knee")
    scene = ap.Scene(figure, contact=Compliant())
    sim = ap.Simulation(scene, ap.controllers.Hold(figure, figure.neutral(), 300.0, 10.0), dt=2e-3)
    heights = np.linspace(-0.005, 0.01, many)
    q = np.tile(figure.neutral(), (many, 1))
    q[:, 2] += heights
    tau = 0.1 * np.random.default_rng(0).normal(size=(many, figure.nu))

    def gradients(device, target, arm=None):
        step = ap.torch.function(sim, inputs="tau", parameters=("friction",), target=target)
        start, force, friction = (torch.tensor(x, device=device, requires_grad=True) for x in (q, tau, 0.8))
        for _ in range(2):  # the first round compiles kernels and uploads constant rows
            state = {"q": start, "u": torch.zeros(many, figure.nu, dtype=torch.float64, device=device)}
            for _ in range(3):
                state = step(**state, tau=force, friction=friction)
            found = torch.autograd.grad(state["q"].square().sum() + state["u"].sum(), (start, force, friction))
            if arm is not None:
                arm()
        torch.cuda.synchronize()
        return found

    there = gradients("cuda", "gpu", no_copies)
    assert all(x.is_cuda for x in there)
    there = [np.array(x.tolist()) for x in there]
    for a, b in zip(there, gradients("cpu", "cpu"), strict=True):
        np.testing.assert_allclose(a, b.numpy(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_environments_stay_on_the_gpu(no_copies, precision):
    """Steps with restarts, drawn bodies and pushes: no copy through this process, the bits of tensors on the CPU."""
    gymnasium = pytest.importorskip("gymnasium")
    changes = ap.gym.Randomise(masses=0.2, lengths=0.05, friction=(0.5, 1.0), pushes=400.0)
    environments = [
        gymnasium.make_vec("anthropi/Roach-v0", num_envs=MANY, target=target, precision=precision, randomise=changes,
                           arrays="torch", autoreset_mode="same_step", max_episode_steps=3, opt=0)
        for target in ("cpu", "gpu")
    ]  # fmt: skip
    actions = torch.tensor(np.random.default_rng(0).uniform(-1.0, 1.0, (8, MANY, 18)))
    here, far = environments
    first = [env.reset(seed=4)[0] for env in environments]
    assert first[1].is_cuda and torch.equal(first[0], first[1].cpu())
    wanted = [here.step(action) for action in actions]
    given, found = list(actions.cuda()), []
    for k, action in enumerate(given):
        if k == 4:  # after the first restart, when all constant rows are on the GPU
            no_copies()
        found.append(far.step(action))
    torch.cuda.synchronize()
    for mine, theirs in zip(found, wanted, strict=True):
        for k in range(4):
            assert mine[k].is_cuda and torch.equal(mine[k].cpu(), theirs[k]), k
        assert torch.equal(mine[4]["final_obs"].cpu(), theirs[4]["final_obs"])
    assert sum(int(x[3].sum()) for x in wanted) >= 2 * MANY
