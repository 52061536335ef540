"""Whether readers of any colour vision can tell the colours of charts apart."""

from __future__ import annotations

import itertools
import re
from importlib.resources import files

import numpy as np
import pytest

from leadline.report.figures import style
from leadline.report.series import STYLES

CSS = files("leadline.report.page").joinpath("assets/page.css").read_text()
PAIRS = dict(re.findall(r"--(\w+): light-dark\((#\w{6}, #\w{6})\)", CSS))
SERIES = (*(f"s{i}" for i in range(STYLES)), "raw")

# Linear RGB as people without one kind of cones see it (Machado, Oliveira and Fernandes, 2009).
VISIONS = {
    "all cones": np.eye(3),
    "no long-wave cones": np.array(
        [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]
    ),
    "no middle-wave cones": np.array(
        [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]
    ),
    "no short-wave cones": np.array(
        [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]
    ),
}
# Oklab (Ottosson, 2020), where equal distances look alike.
CONES = np.array([[0.4122, 0.5363, 0.0514], [0.2119, 0.6807, 0.1074], [0.0883, 0.2817, 0.6300]])
OKLAB = np.array([[0.2105, 0.7936, -0.0041], [1.9780, -2.4286, 0.4506], [0.0259, 0.7828, -0.8087]])
LEAST_DISTANCE = 0.05
"""Black is 1 from white; some 0.02 can be seen side by side."""


def colour(name: str, theme: int) -> np.ndarray:
    """The linear RGB of a colour of the page; theme 0 is the light one."""
    code = PAIRS[name].split(", ")[theme]
    parts = np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def seen(rgb: np.ndarray, vision: str) -> np.ndarray:
    """A colour's place in Oklab."""
    place: np.ndarray = OKLAB @ np.cbrt(CONES @ np.clip(VISIONS[vision] @ rgb, 0, 1))
    return place


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    """As WCAG 2 defines it: 1 to 21."""
    dark, light = sorted(float(np.dot([0.2126, 0.7152, 0.0722], rgb)) for rgb in (one, other))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("vision", VISIONS)
def test_no_two_series_look_alike(vision: str, theme: int) -> None:
    places = {name: seen(colour(name, theme), vision) for name in SERIES}
    distances = {
        (a, b): float(np.linalg.norm(places[a] - places[b]))
        for a, b in itertools.combinations(SERIES, 2)
    }
    assert {pair: far for pair, far in distances.items() if far < LEAST_DISTANCE} == {}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_words_in_a_series_colour_can_be_read(theme: int) -> None:
    paper = colour("paper", theme)
    contrasts = {name: contrast(colour(name, theme), paper) for name in SERIES if name != "raw"}
    assert {name: value for name, value in contrasts.items() if value < 4.5} == {}


def test_figures_have_the_colours_of_the_page() -> None:
    assert list(style.COLOURS) == [PAIRS[f"s{i}"].split(", ")[0] for i in range(STYLES)]
    assert PAIRS["raw"].split(", ")[0] == style.RAW_COLOUR
