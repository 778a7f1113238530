"""Gymnasium environments: the checks of gymnasium, and its own vector environments as an oracle for ours."""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, StateError

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

NAMES = list(ap.gym.ENVIRONMENTS)
SOURCE = Path(ap.__file__).parents[1]


def made(name, **options):
    return gymnasium.make(f"anthropi/{name}", **options).unwrapped


def many(name, num_envs, **options):
    return gymnasium.make_vec(f"anthropi/{name}", num_envs=num_envs, **options)


def played(env, actions, seed=3):
    """Return observations, rewards and ends of a vector environment under actions (steps, num_envs, n)."""
    seen = [env.reset(seed=seed)[0]]
    rest = []
    for action in actions:
        observation, *others, infos = env.step(action)
        seen.append(observation)
        rest.append((*others, infos))
    return np.array(seen), [np.array([row[k] for row in rest]) for k in range(3)], [row[3] for row in rest]


def random_actions(env, steps, seed=0):
    return np.random.default_rng(seed).uniform(-1.0, 1.0, (steps, *env.action_space.shape)).astype(np.float32)


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_of_gymnasium_has_no_complaint(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(name))


def test_a_new_process_finds_the_environments_by_the_module():
    code = """
import gymnasium, json
env = gymnasium.make("anthropi.interop.gym:anthropi/Cartpole-v0")
venv = gymnasium.make_vec("anthropi/Cartpole-v0", num_envs=3)
print(json.dumps([env.reset(seed=0)[0].shape, venv.reset(seed=0)[0].shape, type(venv.unwrapped).__name__]))
"""
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert json.loads(run.stdout) == [[4], [3, 4], "VectorEnv"]


def test_without_gymnasium_the_error_names_the_extra():
    code = """
import sys
sys.modules["gymnasium"] = None
import anthropi
try:
    anthropi.gym
except anthropi.AnthropiError as error:
    print(type(error).__name__, error)
"""
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert run.stdout.startswith("MissingExtra") and "anthropi[gymnasium]" in run.stdout


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_a_batch_is_the_environments_of_gymnasium_one_by_one(mode):
    """`SyncVectorEnv` of single environments: the same bits, restarts and truncations."""
    ours = many("Cartpole-v0", 5, autoreset_mode=mode, max_episode_steps=30)
    oracle = many("Cartpole-v0", 5, vectorization_mode="sync", max_episode_steps=30,
                  vector_kwargs={"autoreset_mode": AutoresetMode[mode.upper()]})  # fmt: skip
    actions = 0.2 * random_actions(ours, 120)
    seen, rest, infos = played(ours, actions)
    expected, expected_rest, expected_infos = played(oracle, actions)
    assert np.array_equal(seen, expected)
    for mine, theirs in zip(rest, expected_rest, strict=True):
        assert np.array_equal(mine, theirs)
    assert rest[1].any() and rest[2].any()  # episodes that ended in both ways
    assert isinstance(ours.metadata["autoreset_mode"], AutoresetMode)
    for mine, theirs in zip(infos, expected_infos, strict=True):
        assert mine.keys() == theirs.keys()
        if "final_obs" in mine:
            assert np.array_equal(mine["_final_obs"], theirs["_final_obs"])
            at = np.flatnonzero(mine["_final_obs"])
            assert np.array_equal(np.stack(mine["final_obs"][at]), np.stack(theirs["final_obs"][at]))


RANDOM = ap.gym.Randomise(masses=0.2, lengths=0.1, friction=(0.4, 1.0), gains=0.2, latency=(0.0, 0.05), pushes=100.0,
                          slope=0.1, slots={"root.damping": (0.0, 1.0)})  # fmt: skip


@pytest.mark.compiled
def test_an_environment_does_not_depend_on_its_neighbours():
    """Humans with every kind of randomisation, in batches of 3 and 19: the first three have the same bits."""
    found = []
    for count in (3, 19):
        env = many("HumanWalk-v0", count, randomise=RANDOM, max_episode_steps=7)
        actions = random_actions(many("HumanWalk-v0", 19), 16)[:, :count]
        seen, rest, _ = played(env, actions)
        found.append((seen[:, :3], *(x[:, :3] for x in rest)))
    for mine, theirs in zip(*found, strict=True):
        assert np.array_equal(mine, theirs)
    assert found[0][3].sum() == 6  # truncated after 7 and 15 steps


def test_options_reset_some_environments():
    env = many("Cartpole-v0", 3, autoreset_mode="disabled")
    first, _ = env.reset(seed=0)
    moved = env.step(np.ones((3, 1)))[0]
    again, _ = env.reset(options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(again[[0, 2]], moved[[0, 2]])
    assert not np.array_equal(again[1], moved[1]) and not np.array_equal(again[1], first[1])


def test_seeds_can_differ_in_any_way():
    env = many("Cartpole-v0", 3)
    both, _ = env.reset(seed=[7, 5, 7])
    assert np.array_equal(both[0], both[2]) and not np.array_equal(both[0], both[1])
    assert np.array_equal(both[1], made("Cartpole-v0").reset(seed=5)[0])


# action laws


def slider():
    body = ap.Link.of("block", ap.spatial.box((0.2, 0.2, 0.2), mass=2.0), [ap.Shape("box", (0.2, 0.2, 0.2))])
    return ap.figure_from_parts("slider", [(None, ap.joints.Prismatic(name="rail", axis="x"), body)])


def slider_env(law, **options):
    sim = ap.Simulation(slider(), law, dt=0.01, **options)
    return ap.gym.Env(sim, lambda figure, view: np.concatenate([view.q, view.u]), lambda figure, view: view.u[0])


@pytest.mark.parametrize("latency", [0.0, 0.5, 1.0, 1.75, 2.2])
def test_latency_delays_the_action(latency):
    """The velocity is the sum of the delayed forces of all steps, over the mass."""
    env = slider_env(ap.gym.Forces(slider(), 3.0, substeps=4, latency=latency, max_latency=2.5))
    actions = np.array([1.0, -0.5, 0.25, 0.75, -1.0, 0.5])
    env.reset(seed=0)
    found = [env.step(np.array([a]))[0][1] for a in actions]
    given = np.concatenate([np.zeros(12), np.repeat(actions, 4)])
    acted = given[12 - int(np.ceil(4 * latency - 1e-9)) :][: len(actions) * 4]
    expected = np.cumsum(3.0 * acted * 0.01 / 2.0)[3::4]
    assert np.allclose(found, expected, atol=1e-6)  # float32 observations


def test_targets_reach_the_pose_of_the_action():
    env = slider_env(ap.gym.Targets(slider(), kp=400.0, kd=60.0, scale=[[0.1], [0.3]], substeps=100))
    env.reset(seed=0)
    for action, place in ((1.0, 0.3), (-1.0, -0.1), (-3.0, -0.1)):  # actions are clipped to 1
        for _ in range(3):
            found = env.step(np.array([action]))[0]
        assert abs(found[0] - place) < 1e-4


def test_a_push_gives_its_impulse():
    env = slider_env(ap.gym.Forces(slider(), substeps=10, pushed="block"))
    env.reset(seed=0)
    env.episodes.simulation.set_parameters({"push_force": [6.0, 1.0, 0.0], "push_times": [0.2, 1.0, 0.1]})
    found = [env.step(np.zeros(1))[0][1] for _ in range(15)]
    expected = 6.0 * 0.1 / 2.0 * np.array([0] * 2 + [1] * 10 + [2] * 3)  # after 0.2 s and after 1.2 s
    assert np.allclose(found, expected, atol=1e-6)


# randomisation


def test_numbers_are_drawn_for_the_environments_that_restart():
    env = many("HumanStand-v0", 40, randomise=RANDOM, autoreset_mode="disabled")
    env.reset(seed=1)
    sim = env.episodes.simulation
    first = {name: np.array(x) for name, x in sim.parameter_rows().items()}
    mask = np.arange(40) % 2 == 0
    env.reset(options={"reset_mask": mask})
    after = sim.parameter_rows()
    for name, before in first.items():
        assert np.array_equal(after[name][~mask], before[~mask])
        assert (after[name][mask] != before[mask]).any(-1).all()
    nominal, starts = sim.figure, dict(zip(sim.slot_sizes, np.cumsum([0, *sim.slot_sizes.values()]), strict=False))

    def drawn(slot):
        return after["parameters"][:, starts[slot] : starts[slot] + sim.slot_sizes[slot]]

    mass = drawn("l_thigh.mass")[:, 0] / nominal.links[nominal.link_index("l_thigh")].mass
    assert 0.8 <= mass.min() < 0.9 and 1.1 < mass.max() <= 1.2
    own = nominal.joints[nominal.joint_index("l_knee")].placement.origin
    length = np.linalg.norm(drawn("l_knee.origin"), axis=-1) / np.linalg.norm(own)
    assert 0.9 <= length.min() < 0.95 and 1.05 < length.max() <= 1.1
    assert 0.4 <= drawn("friction").min() < 0.5 and 0.9 < drawn("friction").max() <= 1.0
    gravity = drawn("gravity")
    slope = np.arccos(-gravity[:, 2] / 9.81)
    assert np.allclose(np.linalg.norm(gravity, axis=-1), 9.81) and 0.05 < slope.max() <= 0.1
    law = sim.controller_parameters()
    assert law["latency"].min() >= 0.0 and 2.0 < law["latency"].max() <= 2.5  # control periods of 20 ms
    assert np.linalg.norm(law["push_force"], axis=-1).max() <= 100.0
    assert np.isclose(law["kp"] / sim.problem.controller.parameters["kp"], law["kp"][:, :1] / 400.0).all()


def test_soles_are_on_the_ground_for_every_body():
    env = many("HumanStand-v0", 8, randomise=ap.gym.Randomise(lengths=0.2))
    env.reset(seed=0)
    lowest = []
    for i in range(8):
        figure, q = env.episodes.motion_figure(i), env.episodes.simulation.q[i]
        k = ap.kinematics(figure, q)
        features = env.episodes.simulation.problem.scene.features
        lowest.append(min(k.link(f.link).position[2] + (k.link(f.link).rotation @ f.point)[2] for f in features))
    assert np.allclose(lowest, 0.0, atol=1e-12)
    assert np.ptp(env.episodes.simulation.q[:, 2]) > 0.1


def test_the_simulation_must_have_what_is_drawn():
    scene = ap.Scene(ap.sample("roach"), features="feet")
    sim = ap.Simulation(scene, ap.gym.Targets(scene.figure))
    with pytest.raises(InputError, match=r"no slot 'body\.mass'.*slots_of"):
        ap.gym.Env(sim, _seen, _one, randomise=ap.gym.Randomise(masses=0.1))
    with pytest.raises(InputError, match="latency, but the action law has no latency"):
        ap.gym.Env(sim, _seen, _one, randomise=ap.gym.Randomise(latency=(0.0, 0.01)))
    with pytest.raises(InputError, match="relative change"):
        ap.gym.Randomise(masses=-1.0)


# use


def _seen(figure, view):
    return view.u


def _one(figure, view):
    return 1.0


def test_a_simulation_that_diverges_ends_its_episode():
    law = ap.gym.Forces(slider(), 1e12, substeps=4)
    sims = [ap.Simulation(slider(), law, dt=0.01, batch=count) for count in (1, 3)]
    alone, batch = ap.gym.Env(sims[0], _seen, _one), ap.gym.VectorEnv(sims[1], _seen, _one)
    for env, action in ((alone, np.ones(1)), (batch, np.array([[0.0], [1.0], [0.0]]))):
        env.reset(seed=0)
        for _ in range(20):
            found = env.step(action)
            if np.any(found[2]):
                break
        assert np.isfinite(found[0]).all() and np.isfinite(found[1]).all()
        assert np.array_equal(np.atleast_1d(found[2]), [True] if env is alone else [False, True, False])


def test_pictures_and_pages_show_the_episode(tmp_path):
    env = made("Roach-v0", render_mode="rgb_array")
    with pytest.raises(StateError, match="Call reset first"):
        env.motion()
    env.reset(seed=0)
    for _ in range(4):
        env.step(np.zeros(18))
    picture = env.render()
    assert picture.shape == (320, 320, 3) and picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100  # a shaded figure, not an empty picture
    motion = env.motion()
    assert np.allclose(motion.time, 0.02 * np.arange(5)) and np.array_equal(motion.q[-1], env.episodes.simulation.q)
    env.render_page(tmp_path / "episode.html")
    assert "<html" in (tmp_path / "episode.html").read_text(encoding="utf-8")[:200]
    both = many("Cartpole-v0", 2, render_mode="rgb_array")
    both.reset(seed=0)
    assert [x.shape for x in both.render()] == [(320, 320, 3)] * 2


def test_seeds_of_a_simulation_can_be_given_for_each_rollout():
    class Noise:
        parameters, memory, prescribed = {}, {}, ()

        def __call__(self, figure, sense, memory, parameters):
            return ap.Drive(tau=np.array([sense.noise(0)])), {}

    def moved(batch, seed):
        sim = ap.Simulation(slider(), Noise(), dt=0.01, batch=batch)
        sim.reset(np.zeros(1), seed=seed)
        sim.step(5)
        return np.reshape(sim.u, -1)

    three = moved(3, np.array([4, 9, 4]))
    assert three[0] == three[2] != three[1]
    assert moved(2, np.array([9, 4]))[0] == three[1]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda sim: ap.gym.Env("cart", _seen, _one), "needs an ap.Simulation"),
        (lambda sim: ap.gym.Env(ap.Simulation(slider(), batch=2), _seen, _one), "batch=1"),
        (lambda sim: ap.gym.Env(ap.Simulation(slider()), _seen, _one), "action law such as ap.gym.Targets"),
        (lambda sim: ap.gym.VectorEnv(sim, _seen, _one, autoreset_mode="never"), "autoreset_mode='never'"),
        (lambda sim: ap.gym.Env(sim, _seen, _one, render_mode="human"), "rgb_array"),
        (lambda sim: ap.gym.Env(sim, lambda figure, view: 1.0, _one), "one-dimensional"),
        (lambda sim: ap.gym.Forces(slider(), substeps=0), "substeps=0"),
        (lambda sim: ap.gym.Forces(slider(), latency=-1.0), "latency"),
        (lambda sim: ap.gym.Forces(slider(), [1.0, 2.0]), "scale has shape"),
        (lambda sim: ap.gym.Env(sim, _seen, _one).step(np.zeros(1)), "Call reset first"),
        (lambda sim: ap.gym.sb3(ap.gym.VectorEnv(sim, _seen, _one)), "same_step"),
    ],
)
def test_wrong_use_says_what_to_do(call, words):
    with pytest.raises((InputError, ap.AnthropiError), match=words):
        call(ap.Simulation(slider(), ap.gym.Forces(slider())))


def test_stable_baselines_learns_to_balance_the_pole():
    pytest.importorskip("stable_baselines3")
    torch = pytest.importorskip("torch")
    from stable_baselines3 import PPO

    torch.set_num_threads(1)

    def balanced(model):
        test = ap.gym.sb3(many("Cartpole-v0", 16, autoreset_mode="same_step"))
        test.seed(99)
        seen, steps, alive = test.reset(), np.zeros(16), np.ones(16, bool)
        while alive.any():
            seen, _, over, _ = test.step(model.predict(seen, deterministic=True)[0])
            steps += alive
            alive &= ~over
        return steps.mean()

    env = ap.gym.sb3(many("Cartpole-v0", 16, autoreset_mode="same_step"))
    model = PPO("MlpPolicy", env, n_steps=64, batch_size=256, learning_rate=1e-3, gamma=0.98, gae_lambda=0.9, seed=0,
                device="cpu")  # fmt: skip
    before = balanced(model)
    model.learn(8192)
    assert balanced(model) > 2.0 * before
