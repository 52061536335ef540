"""What the benchmark of tracing asks for, by pattern."""

from __future__ import annotations

from dataclasses import replace

from bench.trace import words_for

from leadline.patterns.pattern import Application, Pattern, Problem

SIZED = Pattern("bcast", "", "native", 0, 1, 8, 0, False, 1, 1, "slowest rank", "isolated")


def test_pattern_that_has_sizes_is_given_one() -> None:
    assert words_for("bcast", SIZED) == [
        "--patterns", "bcast", "--ranks", "64", "--json", "--sizes", "960",
    ]  # fmt: skip
    sizeless = replace(SIZED, name="barrier", granularity=0)
    assert words_for("barrier", sizeless) == ["--patterns", "barrier", "--ranks", "64", "--json"]


def test_application_has_no_size_and_the_ranks_that_its_smallest_class_can_have() -> None:
    problems = {"S": Problem(1, 16, 10, 10), "W": Problem(1, 4096, 10, 10)}
    few = replace(SIZED, name="mg", application=Application("class", True, problems))
    assert words_for("mg", few) == ["--patterns", "mg", "--ranks", "16", "--json"]
    many = replace(few, application=Application("class", True, {"W": problems["W"]}))
    assert words_for("mg", many) == ["--patterns", "mg", "--ranks", "64", "--json"]
