"""Falls: bounds of the height, heights that are not numbers, and the time of a fall in rollouts."""

import numpy as np
import pytest

import anthropi as ap
from anthropi.gait.falls import LIVE_RUN, PUSH_TRIAL, SEARCH, WALKING, FallSettings, fall_time, is_fallen, upright
from anthropi.motion import Motion


@pytest.mark.parametrize(("settings", "low"), [(WALKING, 0.7), (LIVE_RUN, 0.55), (PUSH_TRIAL, 0.75), (SEARCH, 0.8)])
def test_a_figure_has_fallen_below_a_share_of_its_height(settings, low):
    assert is_fallen((low - 1e-9) * 0.9, 0.9, settings) and not is_fallen((low + 1e-9) * 0.9, 0.9, settings)
    assert is_fallen(np.nan, 0.9, settings)


def test_a_search_loses_figures_upwards_too():
    assert is_fallen(1.2, 1.0, SEARCH) and not is_fallen(1.1, 1.0, SEARCH) and not is_fallen(9.0, 1.0, WALKING)
    np.testing.assert_array_equal(upright(np.array([0.79, 0.9, 1.16]), 1.0, SEARCH), [False, True, False])


def test_the_first_fall_of_each_rollout_over_its_ground():
    figure, time = ap.human(1.75, 75.0), np.arange(5) * 0.1
    q = np.tile(figure.neutral(), (4, 5, 1))
    q[..., 2] = 1.0
    q[1, 3:, 2] = 0.6  # falls
    q[2, 4, 7] = np.nan  # is lost
    q[3, :, 2] += np.linspace(0.0, 2.0, 5)  # climbs
    q[3, :, 0] = np.linspace(0.0, 2.0, 5)
    motion = Motion(figure, time, q, np.zeros((4, 5, figure.nu)))
    np.testing.assert_allclose(fall_time(motion), [np.nan, 0.3, 0.4, np.nan])
    np.testing.assert_allclose(fall_time(motion, FallSettings(0.5)), [np.nan, np.nan, 0.4, np.nan])
    assert np.isnan(fall_time(motion, PUSH_TRIAL, lambda x, y: x)[3])
    assert fall_time(motion, PUSH_TRIAL, lambda x, y: 2.0 * x)[3] == pytest.approx(0.1)
