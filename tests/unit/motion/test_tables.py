"""Motions as tables of pandas and xarray."""

import builtins

import numpy as np
import pytest

import anthropi as ap
from anthropi.errors import InputError, MissingExtra
from anthropi.interop.tables import coordinate_names
from anthropi.motion import Motion

FIGURE = ap.human()


def motion(*lead):
    """A motion of three frames with channels."""
    rng = np.random.default_rng(0)
    q = np.stack([FIGURE.random(rng) for _ in range(3 * int(np.prod(lead)))]).reshape(*lead, 3, FIGURE.nq)
    tau, contact = rng.normal(size=(*lead, 3, FIGURE.nu)), rng.normal(size=(*lead, 3, 2, 3))
    return Motion(FIGURE, [0.0, 0.1, 0.2], q, tau * 0.1, channels={"tau": tau, "contact": contact})


def test_each_coordinate_has_a_name():
    """Quaternions have four names, in the order of q; every other coordinate has the name of its dof."""
    for figure in (FIGURE, ap.sample("bench42"), ap.sample("floating_arm6"), ap.sample("roach")):
        names = coordinate_names(figure)
        assert len(names) == len(set(names)) == figure.nq
        quaternions = [names[at.start : at.stop] for _, at in figure.quaternions]
        assert quaternions == [tuple(f"{joint}.q{x}" for x in "wxyz") for joint, _ in figure.quaternions]
        others = [name for name in names if name not in sum(quaternions, ())]
        assert set(others) <= set(figure.dofs)
    assert coordinate_names(FIGURE)[:4] == ("root.px", "root.py", "root.pz", "root.qw")
    knee = coordinate_names(FIGURE).index("l_knee")
    bent = np.array(ap.standing(FIGURE))
    bent[knee] += 0.3
    moved = FIGURE.difference(ap.standing(FIGURE), bent)
    assert np.flatnonzero(np.abs(moved) > 1e-9).tolist() == [FIGURE.dofs.index("l_knee")]


@pytest.mark.slow
def test_pandas():
    whole = motion()
    table = whole.to_pandas()
    assert table.shape == (3, FIGURE.nq)
    assert table.index.name == "time"
    assert (table["l_knee"].to_numpy() == whole.q[:, coordinate_names(FIGURE).index("l_knee")]).all()
    assert tuple(whole.to_pandas("tau").columns) == FIGURE.dofs
    assert (whole.to_pandas("u").to_numpy() == whole.u).all()
    assert (whole.to_pandas("contact")["contact[1, 2]"].to_numpy() == whole.channels["contact"][:, 1, 2]).all()
    many = motion(2)
    assert many.to_pandas("tau").index.names == ["rollout", "time"]
    assert (many.to_pandas("tau").loc[1].to_numpy() == many.tau[1]).all()
    with pytest.raises(InputError, match=r"no 'tou'\. Did you mean 'tau'\? It has: q, u, tau, contact"):
        whole.to_pandas("tou")


@pytest.mark.slow
def test_xarray():
    whole = motion().to_xarray()
    assert dict(whole.sizes) == {
        "time": 3, "coordinate": FIGURE.nq, "dof": FIGURE.nu, "contact_0": 2, "contact_1": 3,
    }  # fmt: skip
    assert (whole["tau"].sel(dof="l_knee").to_numpy() == motion().tau[:, FIGURE.dofs.index("l_knee")]).all()
    many = motion(2).to_xarray()
    assert many["q"].dims == ("rollout", "time", "coordinate")
    assert (many["q"].isel(rollout=1).to_numpy() == motion(2).q[1]).all()


@pytest.mark.parametrize("package", ["pandas", "xarray"])
def test_a_missing_package_is_named(monkeypatch, package):
    real = builtins.__import__

    def without(name, *rest):
        if name == package:
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=rf"'{package}'. Install it with: pip install 'anthropi\[study\]'"):
        getattr(motion(), f"to_{package}")()
