"""What the tool itself costs, against calls that do nothing (bench/reference/empty_call.c).

Null's time per transport call over that of an empty call through the linker, of the same process
and taken right before, so that the processor and its mood cancel; of two threads that of two.
Goals: at most 2 for every pattern, copying by hand apart; clock and loop at most 0.5 % of a batch
of the fastest real ping-pong, raw shared memory's at 8 B. The loop's own cost is what a repetition
over null takes beyond as many empty calls as it makes: those any program makes that sends and
receives.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.live import local_backend, variant_of
from bench.live import measure as run_campaign
from leadline.kernels.build import Additions
from leadline.kernels.messages import Hello, Message, Result, read_records
from leadline.measure.spec import Variant
from leadline.patterns.pattern import parse_choice
from leadline.patterns.suites import SUITES

PINGPONGS = tuple(
    name for name in SUITES["p2p"].patterns if name.startswith(("pingpong", "unexpected"))
)
TWICE = (
    *PINGPONGS, "pingpong_packed", "ibarrier", "ibcast", "iallreduce", "iallgather",
    "ialltoall", "put_flag",
)  # fmt: skip
SEVERAL = {
    "put_window": 65, "get_window": 65, "stream": 66, "message_rate": 66,
    "pingpong_nonblocking": 4, "pingpong_persistent": 4,
    "pair": 3, "cyclic": 5, "cyclic_two_step": 6, "halo": 3, "halo:periodic": 5,
}  # fmt: skip
"""Of patterns on grids those of two ranks: a send and a receive a message, a wait a phase."""
GRIDS = ("pair", "cyclic", "cyclic_two_step", "halo", "halo:periodic")
COMPUTING = (":overlapped", ":computing")
"""Not the tool's cost but the computation asked for."""
CALLS = {
    name: SEVERAL.get(name, 2 if name in TWICE else 1)
    for name in (*SUITES["all"].patterns, "pack", "unpack", "pingpong_packed", *GRIDS)
    if not name.endswith(COMPUTING)
}
"""Transport calls of one repetition."""
BY_HAND = ("pingpong_strided_packed", "pingpong_struct_packed")
"""Their loops copy the message, which is what they measure."""
OF_TWO_THREADS = "pingpong_threads"
EMPTY = "empty_call"
SLICE_NS, TRIALS = 4_000_000, 7
LIMIT, LIMIT_SHARE = 2.0, 0.005
FASTEST = "shm"
"""Whose ping-pong of 8 B is the shortest round trip, so that the shares are the largest."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Nanoseconds of a transport call of a pattern, and of an empty call beside it; medians."""

    call_ns: float
    empty_ns: float
    over_empty: float


def measure() -> dict[str, object]:
    """Each pattern's call over an empty one, median of TRIALS pairs, and the share of a batch."""
    names = [name for name in CALLS if name != OF_TWO_THREADS]
    said = _obey_null("empty_call.c", names)
    clock_ns = _clock_ns(said)
    costs = _costs(said, names)
    costs |= _costs(_obey_null("empty_call_threads.c", [OF_TWO_THREADS]), [OF_TWO_THREADS])
    round_trip_ns, batch_ns = _fastest_ns()
    pingpong = costs["pingpong"]
    calls_ns = CALLS["pingpong"] * pingpong.call_ns
    own_ns = max(0.0, calls_ns * (1 - 1 / pingpong.over_empty))
    shares = {"clock": clock_ns / batch_ns, "loop": own_ns / round_trip_ns}
    worst = max((n for n in costs if n not in BY_HAND), key=lambda n: costs[n].over_empty)
    return {
        "over_empty_call": {name: cost.over_empty for name, cost in costs.items()},
        "ns_per_call": {name: cost.call_ns for name, cost in costs.items()},
        "empty_call_ns": statistics.median(cost.empty_ns for cost in costs.values()),
        "worst": worst,
        "worst_over_empty_call": costs[worst].over_empty,
        "limit": LIMIT,
        "clock_ns": clock_ns,
        "round_trip_ns": round_trip_ns,
        "calls_ns": calls_ns,
        "shares_of_batch": shares,
        "limit_share": LIMIT_SHARE,
        "reached": costs[worst].over_empty <= LIMIT and sum(shares.values()) <= LIMIT_SHARE,
    }


def clock_reading_ns() -> float:
    """Nanoseconds that a reading of the clock takes, as a kernel finds before it begins."""
    return _clock_ns(_obey_null("empty_call.c", ()))


def _clock_ns(said: Sequence[Message]) -> float:
    return next(one.clock_ns for one in said if isinstance(one, Hello))


def _fastest_ns() -> tuple[float, float]:
    """The round trip of the fastest real ping-pong, and its batches; medians."""
    fastest = variant_of(local_backend(FASTEST), FASTEST)
    medians = run_campaign([fastest], ["pingpong"], [8], budget_s=5.0, blocks=6)
    seconds = np.nanmedian(medians.by_variant[FASTEST])
    batches = medians.run.batches
    return float(seconds) * 2e9, float(np.median(batches.end_ns - batches.start_ns))


def _costs(said: Sequence[Message], names: Sequence[str]) -> dict[str, Cost]:
    """By pattern; results come in pairs, an empty call's first."""
    ns = {result.id: _repetition_ns(result) for result in said if isinstance(result, Result)}
    costs: dict[str, Cost] = {}
    for k, name in enumerate(names):
        firsts = [2 * (trial * len(names) + k) for trial in range(TRIALS)]
        pairs = [(ns[first + 1] / CALLS[name], ns[first]) for first in firsts]
        costs[name] = Cost(
            call_ns=statistics.median(call for call, _ in pairs),
            empty_ns=statistics.median(empty for _, empty in pairs),
            over_empty=statistics.median(call / empty for call, empty in pairs),
        )
    return costs


def _repetition_ns(result: Result) -> float:
    elapsed = (result.batches[:, 1] - result.batches[:, 0]).tolist()
    return float(statistics.median(elapsed)) / result.repetitions


def _command(name: str, variant: Variant) -> str:
    """What the kernel is told to measure the pattern `name`, options included."""
    return parse_choice(name, variant.capability.patterns).command


def _obey_null(empty_call: str, names: Sequence[str]) -> list[Message]:
    """What null says of `names`, each after the pattern in `empty_call`, TRIALS times."""
    reference = Path(__file__).parent / "reference"
    calls = Additions(sources=(reference / empty_call, reference / "nothing.c"))
    null = variant_of(local_backend("null"), "null", calls)
    commands = [
        command
        for _ in range(TRIALS)
        for name in names
        for command in (f"pattern={EMPTY}", _command(name, null))
    ]
    lines = [
        f"id={number} {command} size=8 cadence=streaming slice_ns={SLICE_NS}"
        for number, command in enumerate(commands)
    ]
    with tempfile.TemporaryDirectory() as scratch:
        script, records = Path(scratch) / "script", Path(scratch) / "records"
        script.write_text("\n".join([*lines, "end"]) + "\n")
        argv = [str(null.kernel), "--script", str(script), "--records", str(records)]
        subprocess.run(argv, env=os.environ | {"LEADLINE_RANKS": "2"}, check=True, timeout=120)
        return read_records(Path(f"{records}.0"))
