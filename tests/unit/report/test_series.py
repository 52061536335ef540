"""Names, colours and markers of what charts show."""

from __future__ import annotations

from dataclasses import replace

from harness.synthetic import configuration

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


def styles_of(*variants: tuple[str, str]) -> dict[str, tuple[str, int]]:
    """Style and turn of each variant, given as (name, backend)."""
    named = [replace(configuration("mpich"), variant=name, backend=of) for name, of in variants]
    run = Run("run", True, {}, tuple(named), (), batches_of(()))
    return {name: (one.style, one.turn) for name, one in series_of([run]).items()}


def test_library_looks_the_same_whoever_is_beside_it() -> None:
    together = styles_of(("openmpi", "openmpi"), ("impi", "impi"), ("mpich", "mpich"))
    assert len(set(together.values())) == 3
    for name, style in together.items():
        assert styles_of((name, name)) == {name: style}


def test_second_variant_of_a_library_takes_a_style_that_nobody_has() -> None:
    found = styles_of(("mpich", "mpich"), ("mpich-tcp", "mpich"), ("openmpi", "openmpi"))
    assert len(set(found.values())) == 3
    assert found["mpich"] == styles_of(("mpich", "mpich"))["mpich"]
    assert found["openmpi"] == styles_of(("openmpi", "openmpi"))["openmpi"]
    assert found["mpich-tcp"] == styles_of(("mpich", "mpich"), ("mpich-tcp", "mpich"))["mpich-tcp"]


def test_library_keeps_its_colour_in_a_second_run_with_another_stroke() -> None:
    first, *_ = runs = [run_of(["mpich", "openmpi", "mpich"]) for _ in range(2)]
    again = replace(runs[1], configurations=first.configurations[::-1])
    found = series_of([replace(first, path="a"), replace(again, path="b")])
    assert len({(one.style, one.turn) for one in found.values()}) == len(found) == 6
    for library in ("mpich0", "openmpi1", "mpich2"):
        assert len({one.style for name, one in found.items() if library in name}) == 1


def test_forty_variants_all_look_different() -> None:
    found = styles_of(*((f"v{i}", "mpich") for i in range(40)))
    assert len(set(found.values())) == 40
