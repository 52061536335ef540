"""Flows on a torus beside SimGrid: the same random messages, each held to when it arrives there."""

from __future__ import annotations

import numpy as np
import pytest
from harness.torus_traffic import halo, uniform

from leadline.simulate.flow import flow


def test_the_patterns_are_what_they_are_called() -> None:
    ring = uniform((2, 3))
    assert ring.destinations.tolist() == [1, 2, 0, 4, 5, 3]
    stencil = halo((3, 4, 5), np.random.default_rng(0))
    assert np.bincount(stencil.sources).tolist() == [6] * 60
    assert np.bincount(stencil.destinations).tolist() == [6] * 60
    # a bus of 400 MB/s for a megabyte each way; 340 is the link's
    assert flow(ring.graph()).ended_s == pytest.approx([0.005] * 6)
