"""Whatever an import lets in, every command reads back: at the bounds of what it lets in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from leadline.cli import main
from leadline.record.foreign.table import LEAST_SECONDS, MOST_BYTES, MOST_RANKS, MOST_SECONDS
from leadline.store import load

SIZES = (0, 1, 8, MOST_BYTES)
SHORTEST, LONGEST = f"{LEAST_SECONDS * 1e6!r}", f"{MOST_SECONDS * 1e6!r}"
TIMES_US = (LONGEST, SHORTEST, "1.50", LONGEST)
SCALES = (1, 2, 3, 4, MOST_RANKS)
NAMES = ("a b", "ü", "x" * 300, "<b>&'\"", "=1+1", "->", "$(x)`y`;", "\\u0000 %s {0}")
TEXTS: Mapping[str, str] = {
    "osu": "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n"
    + "".join(f"{size} {time}\n" for size, time in zip(SIZES, TIMES_US, strict=True)),
    "netpipe": "Now starting the main loop\n"
    + "".join(
        f"  1: {size} bytes  9 times -->  4.38 Mbps in  {time} usec\n"
        for size, time in zip(SIZES, TIMES_US, strict=True)
    ),
    "imb": "#    Intel(R) MPI Benchmarks\n# Benchmarking PingPong\n# #processes = 2\n"
    "#bytes #repetitions t[usec]\n"
    + "".join(f"{size} 9 {time}\n" for size, time in zip(SIZES, TIMES_US, strict=True))
    + "# All processes entering MPI_Finalize\n",
    "nccl": "#  Rank  0 x\n#  Rank  1 x\n#  size  count  type  redop  time  algbw  busbw  #wrong\n"
    + "".join(
        f" {size} 1 <b>&;'\"\\ü =sum {time} 1 1 0\n"
        for size, time in zip(SIZES, TIMES_US, strict=True)
    )
    + "# Avg bus bandwidth\n",
    "extrap": "".join(
        json.dumps({"params": {"p": p, "m": m}, "value": value, "callpath": "main->bcast"}) + "\n"
        for p in SCALES
        for m, value in ((0, LEAST_SECONDS), (1, 1e-6), (10**16, MOST_SECONDS))
    ),
    "names": "".join(
        json.dumps({"params": {"p": 2}, "value": 1, "callpath": f"{n}{name}->{n}", "metric": kind})
        + "\n"
        for n, name in enumerate(NAMES)
        for kind in ("time", name)
    ),
}
TABLES = ("runs", "configurations", "cells", "measurements", "blocks", "timings", "batches",
          "slices", "stated", "hosts", "failures", "warnings")  # fmt: skip


def commands(run: str, out: Path) -> list[list[str]]:
    forms = ["--json", "--csv", "--markdown"]
    return [
        *(["show", run, *form] for form in ([], *([one] for one in forms))),
        *(["compare", run, run, one] for one in forms),
        *(["history", run, one] for one in forms),
        *(["sql", f"FROM {table}", run, "--json"] for table in TABLES),
        *(["export", run, f"--{form}"] for form in ("json", "csv", "extrap", "extrap-json")),
        ["export", run, "--parquet", "--out", str(out / "rows.parquet")],
        ["report", run, "--out", str(out / "page.html")],
        ["plot", run, "--out", str(out / "figure.svg")],
        ["fit", run, "--json"],
        ["run", "--resume", run],
    ]


def test_what_is_let_in_is_read_back_by_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    files, run = [str(tmp_path / name) for name in TEXTS], str(tmp_path / "run")
    dated = ("--date", "0001-01-02T00:00:00+00:00")
    assert main(["import", *files, "--out", run, *dated]) == 0
    found = load(run)
    values = [value for table in found.stated for value in table.seconds]
    assert (len(values), min(values), max(values)) == (39, LEAST_SECONDS, MOST_SECONDS)
    assert {warning.code for warning in found.warnings} == {"other_metrics"}
    ended = {tuple(words): main(words) for words in commands(run, tmp_path)}
    assert {words: status for words, status in ended.items() if status not in (0, 3)} == {}
    assert "Traceback" not in capsys.readouterr().err
