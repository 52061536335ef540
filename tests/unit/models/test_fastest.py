"""Which variant is the fastest: only where its interval lies below all others'."""

from __future__ import annotations

from dataclasses import replace

from leadline.models.points import Fastest, PredictedTime, fastest
from leadline.record.run import Origin
from leadline.statistics.estimate import Estimate

POINT = PredictedTime(
    variant="mpich",
    pattern="bcast",
    buffers="echo",
    cadence="isolated",
    threads=0,
    origin=Origin.MEASURED,
    ranks=4,
    size_bytes=8,
    seconds=Estimate(1e-6, 0.9e-6, 1.1e-6, 0.95, 12),
    extrapolated=False,
    floored=False,
)
SLOWER = replace(POINT, variant="impi", seconds=Estimate(2e-6, 1.2e-6, 3e-6, 0.95, 12))
NEAR = replace(SLOWER, seconds=Estimate(1.2e-6, 1.05e-6, 1.4e-6, 0.95, 12))


def test_fastest_has_its_interval_below_all_others() -> None:
    assert fastest([SLOWER, POINT]) == (Fastest("mpich", ((4, 8),)),)
    assert fastest([NEAR, POINT]) == (Fastest(None, ((4, 8),)),)


def test_places_are_gathered_by_variant() -> None:
    larger = [replace(one, size_bytes=64) for one in (POINT, SLOWER)]
    other = [replace(one, ranks=8) for one in (POINT, NEAR)]
    assert fastest([POINT, SLOWER, *larger, *other]) == (
        Fastest("mpich", ((4, 8), (4, 64))),
        Fastest(None, ((8, 8),)),
    )


def test_nothing_without_an_interval_is_the_fastest_or_slower_for_sure() -> None:
    for one in (POINT, SLOWER):
        bare = replace(one, seconds=Estimate(one.seconds.value, n=3))
        other = SLOWER if one is POINT else POINT
        assert fastest([bare, other]) == (Fastest(None, ((4, 8),)),)


def test_one_alone_is_no_winner_nor_is_one_beside_what_wasnt_measured() -> None:
    simulated = replace(SLOWER, origin=Origin.SIMULATED)
    assert fastest([POINT]) == fastest([POINT, simulated]) == ()


def test_other_buffers_make_no_rivals() -> None:
    assert fastest([POINT, replace(SLOWER, buffers="cold")]) == ()
