"""Names, colours and markers of what charts show."""

from __future__ import annotations

from dataclasses import replace

from tests.support.synthetic import configuration

from leadline.record.batches import batches_of
from leadline.record.run import Run
from leadline.report.series import RAW, STYLES, series_of


def run_of(backends: list[str]) -> Run:
    configurations = tuple(
        replace(configuration("shm"), variant=f"{backend}{i}", backend=backend)
        for i, backend in enumerate(backends)
    )
    return Run("run", True, {}, configurations, (), batches_of(()))


def test_no_two_series_look_alike_though_styles_run_out() -> None:
    runs = [run_of(["shm", "tcp", *["mpich"] * (STYLES + 1)])]
    looks = {(one.style, one.turn) for one in series_of(runs).values()}
    assert len(looks) == STYLES + 3


def test_raw_transports_are_grey_and_take_no_colour_from_libraries() -> None:
    found = series_of([run_of(["mpich", "shm", "openmpi", "tcp"])])
    assert list(found) == ["mpich0", "shm1", "openmpi2", "tcp3"]
    assert [one.style for one in found.values()] == ["s0", RAW, "s1", RAW]
