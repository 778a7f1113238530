"""Environments on tensors, policies as controllers, and the example that learns."""

import importlib
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, ShapeError
from anthropi.formats.pages.live_page import LiveSimulation

gymnasium = pytest.importorskip("gymnasium")
torch = pytest.importorskip("torch")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RANDOM = ap.gym.Randomise(masses=0.2, lengths=0.1, friction=(0.4, 1.0), gains=0.2, latency=(0.0, 0.05), pushes=100.0,
                          slope=0.1)  # fmt: skip


def many(name, count, **options):
    return gymnasium.make_vec(f"anthropi/{name}", num_envs=count, opt=0, **options)


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
@pytest.mark.parametrize(
    ("name", "options"), [("Cartpole-v0", {}), ("Roach-v0", {"randomise": RANDOM}), ("Hopper-v0", {})]
)
def test_episodes_on_tensors_are_those_on_arrays(mode, name, options):
    """The same seeds give the same starts, drawn bodies, observations, rewards and ends."""
    options = {"autoreset_mode": mode, "max_episode_steps": 9} | options
    plain, tensors = many(name, 5, **options), many(name, 5, arrays="torch", **options)
    assert np.allclose(plain.reset(seed=3)[0], tensors.reset(seed=3)[0].numpy(), atol=1e-6)
    actions = np.random.default_rng(0).uniform(-1.0, 1.0, (25, *plain.action_space.shape)).astype(np.float32)
    ended = 0
    for action in actions:
        wanted, found = plain.step(action), tensors.step(torch.tensor(action))
        for k in (0, 1):
            assert np.allclose(wanted[k], found[k].numpy(), atol=1e-5)  # float32 observations, drawn bodies to rounding
        for k in (2, 3):
            assert np.array_equal(wanted[k], found[k].numpy())
        if "final_obs" in wanted[4]:
            rows = wanted[4]["_final_obs"]
            assert np.array_equal(rows, found[4]["_final_obs"].numpy())
            assert np.allclose(np.stack(wanted[4]["final_obs"][rows]), found[4]["final_obs"][rows].numpy(), atol=1e-5)
        ended += int(found[2].sum() + found[3].sum())
    assert ended >= 5
    assert all(x.device.type == "cpu" for x in found[:4]) and found[0].dtype == torch.float32


def test_a_simulation_on_tensors_that_diverges_ends_its_episode():
    body = ap.Link.of("block", ap.spatial.box((0.2, 0.2, 0.2), mass=2.0), [ap.Shape("box", (0.2, 0.2, 0.2))])
    slider = ap.figure_from_parts("slider", [(None, ap.joints.Prismatic(name="rail", axis="x"), body)])
    sim = ap.Simulation(slider, ap.gym.Forces(slider, 1e12, substeps=4), dt=0.01, batch=3)
    env = ap.gym.VectorEnv(sim, _seen, _one, arrays="torch", autoreset_mode="same_step")
    env.reset(seed=0)
    for _ in range(20):
        seen, reward, over, *_ = env.step(torch.tensor([[0.0], [1.0], [0.0]]))
        if over.any():
            break
    assert over.tolist() == [False, True, False] and seen.isfinite().all() and reward.isfinite().all()
    assert seen[1, 0] == 0.0  # restarted


def _seen(figure, view):
    return view.u


def _one(figure, view):
    return 1.0


def test_wrong_use_says_what_to_do():
    with pytest.raises(InputError, match=r'"numpy", "torch"'):
        many("Cartpole-v0", 2, arrays="jax")
    env = many("Cartpole-v0", 2, arrays="torch")
    env.reset(seed=0)
    with pytest.raises(ShapeError, match=r"\(2, 1\)"):
        env.step(torch.zeros(2))


def test_a_human_starts_on_its_reference_gait():
    """Near the largest reward of 3.2; without a policy the targets of the reference carry it for a few steps."""
    env = many("HumanGait-v0", 16, arrays="torch", autoreset_mode="disabled")
    env.reset(seed=0)
    _, reward, fell, *_ = env.step(torch.zeros(16, 27))
    assert reward.min() > 2.5 and not fell.any()
    speed = env.unwrapped.episodes.simulation.u[:, 0]
    assert abs(speed.mean() - 1.3) < 0.15


# policies


def network(sizes, activation):
    torch.manual_seed(0)
    layers = [x for a, b in pairwise(sizes) for x in (torch.nn.Linear(a, b), activation())]
    return torch.nn.Sequential(*layers[:-1]).double()


class Law:
    """An action law without forces."""

    actions, substeps, parameters, memory, prescribed = 3, 4, {}, {}, ()

    def __call__(self, figure, sense, memory, parameters):
        return ap.Drive(), {}


@pytest.mark.parametrize("target", ["cpu", "wasm", "replay"])
@pytest.mark.parametrize("activation", ["elu", "tanh", "relu"])
def test_a_policy_on_the_tape_is_that_of_torch(target, activation):
    kind = {"elu": torch.nn.ELU, "tanh": torch.nn.Tanh, "relu": torch.nn.ReLU}[activation]
    net = network((7, 20, 12, 3), kind)
    linear = [x for x in net if isinstance(x, torch.nn.Linear)]
    rng = np.random.default_rng(1)
    centre, deviation = rng.normal(size=7), rng.uniform(0.5, 2.0, 7)
    policy = ap.controllers.Policy(Law(), _seen, [x.weight.detach() for x in linear], [x.bias.detach() for x in linear],
                                   centre=centre, deviation=deviation, limit=2.0, scale=1.5,
                                   activation=activation)  # fmt: skip
    kernel = ap.build(ap.record(policy.action, seen=np.zeros(7)), target)
    seen = 3.0 * rng.normal(size=(20, 7))
    x = torch.tensor((seen - centre) / deviation).clamp(-2.0, 2.0)
    wanted = (1.5 * net(x)).clamp(-1.0, 1.0).detach().numpy()
    assert np.abs(kernel(seen) - wanted).max() < 1e-12
    assert np.abs([policy.action(s) for s in seen] - wanted).max() < 1e-12


def saved(env, folder, seed=0):
    """Save a random policy for an environment."""
    sizes = [env.observation_space.shape[0], 16, env.action_space.shape[0]]
    rng = np.random.default_rng(seed)
    arrays = {f"weight_{k}": rng.normal(size=(b, a)) / np.sqrt(a) for k, (a, b) in enumerate(pairwise(sizes))}
    np.savez(folder / "policy.npz", **arrays, bias_0=np.zeros(16), bias_1=np.zeros(sizes[-1]), scale=0.4)
    return folder / "policy.npz"


@pytest.fixture(scope="module")
def hopping(tmp_path_factory):
    """An environment, its policy as a controller, and a simulation with it that starts like the environment."""
    env = gymnasium.make("anthropi/Hopper-v0", opt=0).unwrapped
    policy = env.policy(saved(env, tmp_path_factory.mktemp("policy")))
    env.reset(seed=0)
    world = env.episodes.simulation
    sim = ap.Simulation(world.problem.scene, policy, dt=world.dt, opt=0)
    sim.reset(world.q, world.u)
    return env, policy, sim


def test_a_policy_holds_its_action_as_in_training(hopping):
    """Environment and controller: the same motion, as long as the observations are the same to float32."""
    env, policy, sim = hopping
    start, seen = sim.state, env.episodes.look()[0][0]
    for _ in range(15):
        seen = env.step(policy.action(seen))[0]
        sim.step(10)
        assert np.allclose(sim.q, env.episodes.simulation.q, atol=1e-4)
    assert np.abs(sim.memory["control"]["policy.action"]).max() > 0.05
    sim.state = start
    motion = ap.simulate(sim.problem.scene, sim.q, sim.u, policy, duration=0.1, dt=sim.dt)
    sim.step(len(motion.time) - 1)
    assert np.array_equal(motion.q[-1], sim.q)


def test_a_live_page_runs_a_policy(hopping, tmp_path):
    _, policy, sim = hopping
    sim.reset([0.0, 0.9, 0.05, 0.0, 0.0])
    page = ap.live_page(sim, tmp_path / "policy.html")
    assert b'id="live"' in page.read_bytes()
    live = LiveSimulation(sim)
    kernel, count = live.step_kernel(), 25
    given = {name.split("/")[1]: x[0] for name, x in live.arrays().items()} | {
        "dt": sim.dt, "per_frame": 1.0, "limit": float(count), "due": float(count), "f_ext": np.zeros((sim.figure.n, 6))
    }  # fmt: skip
    after = kernel(*(np.reshape(given[slot.name], slot.shape) for slot in kernel.inputs))[0]
    sim.step(count)
    assert np.allclose(after["q"], sim.q, atol=1e-9)  # WebAssembly has no fma
    assert np.abs(policy.action(np.ones(12))).max() > 0.0 and not np.array_equal(after["q"], given["q"])


def test_policies_are_saved_and_checked(hopping, tmp_path):
    _, policy, _ = hopping
    again = ap.controllers.Policy.load(policy.save(tmp_path / "again.npz"), policy.law, policy.observe)
    seen = np.linspace(-1.0, 1.0, 12)
    assert np.array_equal(again.action(seen), policy.action(seen))
    with pytest.raises(ShapeError, match="2 actions"):
        ap.controllers.Policy(policy.law, policy.observe, [np.ones((3, 12))], [np.zeros(3)])
    with pytest.raises(InputError, match="Choose from: elu, tanh, relu"):
        ap.controllers.Policy(policy.law, policy.observe, policy.weights, policy.biases, activation="gelu")
    np.savez(tmp_path / "other.npz", q=np.zeros(3))
    with pytest.raises(InputError, match="contains no policy"):
        ap.controllers.Policy.load(tmp_path / "other.npz", policy.law, policy.observe)


# the example


def test_the_example_learns_to_balance_a_pole(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    try:
        example, learning = (importlib.import_module(name) for name in ("learn_to_walk", "_learning"))
        torch.set_num_threads(1)
        env = example.made("cartpole", "cpu", 128)
        policy = learning.train(env, example.SMALL, 80_000, 1.0, tmp_path)
        test = example.made("cartpole", "cpu", 64, mode="disabled")
        fresh = learning.Policy(4, 1, example.SMALL)
        alive, before = (learning.tested(test, x, periods=150)[0].mean() for x in (policy, fresh))
        assert alive > before + 0.5
        curve = np.genfromtxt(tmp_path / "curve.csv", delimiter=",", names=True)
        assert curve["episode_seconds"][-1] > 2.0 * curve["episode_seconds"][0]
        kept = learning.Policy.load(tmp_path, "cpu", example.SMALL)
        controller = gymnasium.make("anthropi/Cartpole-v0").unwrapped.policy(tmp_path / "policy.npz")
        seen = 0.1 * torch.randn(4)
        assert np.allclose(controller.action(seen.numpy()), kept.action(seen[None])[0].detach(), atol=1e-5)
    finally:
        for name in ("learn_to_walk", "_learning"):
            sys.modules.pop(name, None)
