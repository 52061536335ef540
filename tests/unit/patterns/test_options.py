"""Options of patterns: words, grids, numbers and times, as written and as kernels read them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import UsageError
from leadline.patterns.pattern import (
    Pattern,
    PatternChoice,
    PatternOption,
    parse_choice,
    parse_option,
)

USUAL = Pattern("", "", "native", 0, 1, 1, 0, False, 1, 1, "slowest rank", "isolated")


def options(**described: dict[str, object]) -> dict[str, PatternOption]:
    return {key: parse_option(key, text) for key, text in described.items()}


def words(text: str) -> dict[str, object]:
    return {"kind": "word", "words": text.split()}


DEPTH = {"kind": "number", "least": 1, "most": 1024, "default": 1}
WORK = {"kind": "time", "least": 1000, "most": 100_000_000, "default": 0, "needs": "overlap"}
GRID = {"kind": "dims", "least": 1, "most": 4, "default": 0}
TAKES = {
    "barrier": {},
    "allreduce": options(op=words("sum max"), type=words("double int64")),
    "unexpected": options(depth=DEPTH),
    "ibcast": options(overlap=words("idle overlapped tested computing"), work=WORK),
    "halo": options(grid=GRID, reach=words("faces corners")),
}
PATTERNS = {name: replace(USUAL, name=name, options=takes) for name, takes in TAKES.items()}


@pytest.mark.parametrize(
    ("text", "label", "command"),
    [
        ("allreduce:int64:max", "allreduce:max:int64", "op=max type=int64"),
        ("allreduce:op=max", "allreduce:max", "op=max"),
        ("allreduce:sum", "allreduce", ""),
        ("unexpected:16", "unexpected:16", "depth=16"),
        ("unexpected:depth=016", "unexpected:16", "depth=16"),
        ("unexpected:1", "unexpected", ""),
        ("unexpected:1024", "unexpected:1024", "depth=1024"),
        ("ibcast:work=20us:overlapped", "ibcast:overlapped:work=20us",
         "overlap=overlapped work=20000"),
        ("ibcast:tested:work=0.0015s", "ibcast:tested:work=1.5ms", "overlap=tested work=1500000"),
        ("ibcast:computing:work=1234567ns", "ibcast:computing:work=1.234567ms",
         "overlap=computing work=1234567"),
        ("halo:corners:8x4x4", "halo:8x4x4:corners", "grid=8x4x4 reach=corners"),
        ("halo:grid=16", "halo:16", "grid=16"),
    ],
)  # fmt: skip
def test_options_are_read_in_any_order_and_labelled_in_one(
    text: str, label: str, command: str
) -> None:
    choice = parse_choice(text, PATTERNS)
    assert choice.label == label
    assert choice.command == f"pattern={choice.name} root=0 {command}".rstrip()
    assert parse_choice(label, PATTERNS) == choice


def test_what_is_no_option_is_refused_with_what_would_be(snapshot: SnapshotAssertion) -> None:
    given = [
        "pingpang",
        "allreduce:mix",
        "allreduce:opp=max",
        "allreduce:op=mix",
        "allreduce:max:op=sum",
        "barrier:sum",
        "unexpected:0",
        "unexpected:1025",
        "unexpected:-3",
        "unexpected:4.5",
        "unexpected:depth=",
        "unexpected:1" + "0" * 30,
        "unexpected:deep=3",
        "ibcast:overlapped:work=0.5us",
        "ibcast:overlapped:work=101ms",
        "ibcast:overlapped:work=long",
        "ibcast:overlapped:20us",
        "ibcast:work=20us",
        "halo:8x",
        "halo:8x0",
        "halo:2x2x2x2x2",
        "halo:grid=x8",
        "halo:2x4:4x2",
    ]
    assert refusals(lambda text: parse_choice(text, PATTERNS), given, UsageError) == snapshot


def test_lengths_of_a_grid_are_known() -> None:
    assert parse_choice("halo:8x4x4", PATTERNS).dims == (8, 4, 4)
    assert parse_choice("halo:corners", PATTERNS).dims == ()


def test_default_values_leave_no_trace() -> None:
    assert parse_choice("allreduce:sum:double", PATTERNS) == PatternChoice("allreduce")


def test_option_of_another_kind_is_no_description() -> None:
    with pytest.raises(ValueError, match="'colour'"):
        parse_option("ink", {"kind": "colour"})
