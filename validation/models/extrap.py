"""Extra-P on the same data: does it read what is exported for it, and how far off are its models?

Extra-P comes from PyPI, in an environment of its own. Every other size of a campaign on one number
of ranks is held out; the others go to it in each of its three formats, and to the closed forms.
Each of its modelers for one parameter models them. The goal: every format is read whole, and gives
the same models. Errors stand side by side, without a goal.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np

from leadline.compare.analysis import Analysis
from leadline.compare.origins import labelled
from leadline.files import cache_directory
from leadline.models.closed_form import fit
from leadline.models.model import NotFitted
from leadline.models.observations import Observations, observations_of
from leadline.models.prediction import predict
from leadline.query.tables import block_rows
from leadline.report.formats.extrap import (
    ExtrapCurves,
    extrap_curves,
    extrap_json,
    extrap_lines,
    extrap_text,
)
from leadline.statistics.intervals import Floats
from leadline.store import load
from validation.models.held_out import at_sizes
from validation.models.runs import kept_run

VERSION = "4.2.5"
READER = Path(__file__).parents[1] / "reference" / "extrap_models.py"
MODELERS = ("default", "refining", "segmented")
WRITERS = {"curves.txt": extrap_text, "curves.json": extrap_json, "curves.jsonl": extrap_lines}
OURS = "closed form"
PATIENCE_S = 1800.0

Errors = Mapping[str, Floats]
"""Relative errors at the sizes held out, by what modelled; nan: it has no value there."""


class Modelled(TypedDict):
    """What Extra-P made of one curve."""

    function: str
    seconds: list[float | None]
    """At the sizes that were held out."""


Answer = Mapping[str, Mapping[str, Modelled]]
"""By modeler and call path."""


def measure(run: Path | str | None = None) -> dict[str, object]:
    """A row for each curve of the campaign in `run`; None: one that is kept or conducted."""
    analysis = Analysis(load(run or kept_run("first")))
    observed = {f"{one.label}->{one.pattern}": one for one in observations_of(analysis)}
    kept, left = _divided([*observed.values()])
    curves = _curves(analysis, kept)
    answers = _asked(curves, left)
    errors = {path: _errors(one, kept, left, answers[0], path) for path, one in observed.items()}
    same = all(answer == answers[0] for answer in answers)
    whole = all(answers[0][name].keys() == curves.curves.keys() for name in MODELERS)
    pooled = {name: np.concatenate([one[name] for one in errors.values()]) for name in _NAMES}
    return {
        "extrap": VERSION,
        "sizes": [len(kept), len(left)],
        "rows": [{"curve": path} | _quantiles(one) for path, one in errors.items()],
        "median and 90th percentile": _quantiles(pooled),
        "without a value": {name: int(np.isnan(pooled[name]).sum()) for name in _NAMES},
        "curves closer than its best": f"{sum(map(_closer, errors.values()))} of {len(errors)}",
        "read whole": whole,
        "same models from each format": same,
        "reached": whole and same,
    }


_NAMES = (OURS, *MODELERS)


def _divided(observed: Sequence[Observations]) -> tuple[list[int], list[int]]:
    """The sizes that all have, for Extra-P wants the same: those kept, and those held out."""
    sizes = sorted(set.intersection(*(set(one.sizes_bytes) for one in observed)) - {0})
    kept = sorted({*sizes[::2], sizes[-1]})
    return kept, [size for size in sizes if size not in kept]


def _curves(analysis: Analysis, sizes: Sequence[int]) -> ExtrapCurves:
    """As `leadline export` takes them, of a run with these sizes alone."""
    rows = [row for row in block_rows(analysis) if row["size_bytes"] in sizes]
    return extrap_curves(
        [{**row, "variant": labelled(row["variant"], row["origin"])} for row in rows]
    )


def _asked(curves: ExtrapCurves, sizes: Sequence[int]) -> list[Answer]:
    """What Extra-P makes of each format's file."""
    python, answers = _environment(), []
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as scratch:
        for name, write in WRITERS.items():
            file = Path(scratch) / name
            file.write_text(write(curves))
            argv = [str(python), str(READER), str(file), *MODELERS]
            answers.append(json.loads(_said(argv, json.dumps(sizes))))
    return answers


def _environment() -> Path:
    """The interpreter of an environment with Extra-P, which is made if it isn't there."""
    folder = cache_directory() / "bench" / f"extrap-{VERSION}"
    python = folder / "bin" / "python"
    there = [str(python), "-m", "pip", "show", "-qq", "extrap"]
    if not python.exists() or subprocess.run(there, check=False).returncode:
        venv.create(folder, with_pip=True)
        pip = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", f"extrap=={VERSION}"]
        _said([str(python), *pip])
    return python


def _said(argv: Sequence[str], told: str = "") -> str:
    done = subprocess.run(
        argv, input=told, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(argv)}: {done.stderr[-600:]}")
    return done.stdout


def _errors(
    observed: Observations, kept: Sequence[int], left: Sequence[int], answer: Answer, path: str
) -> Errors:
    """Of the closed form and of each modeler."""
    here, there = (
        at_sizes(observed, [observed.sizes_bytes.index(size) for size in sizes])
        for sizes in (kept, left)
    )
    model = fit(here)
    if isinstance(model, NotFitted):
        raise RuntimeError(f"{path}: {model.reason}")
    medians = np.nanmedian(there.seconds[0], axis=1)
    guesses = {OURS: predict(model, model.ranks[0], np.array(left, float)).seconds}
    for name in MODELERS:
        guesses[name] = np.array(answer[name][path]["seconds"], dtype=np.float64)
    return {name: np.abs(guess / medians - 1) for name, guess in guesses.items()}


def _quantiles(errors: Errors) -> dict[str, list[float] | None]:
    """Median and 90th percentile of each; None: it has no value anywhere."""
    return {name: _of(one[~np.isnan(one)]) for name, one in errors.items()}


def _of(known: Floats) -> list[float] | None:
    return np.percentile(known, (50, 90)).tolist() if known.size else None


def _closer(errors: Errors) -> bool:
    """Whether the closed form's median error is below that of every modeler."""
    medians = {name: one[0] for name, one in _quantiles(errors).items() if one is not None}
    return min(medians, key=medians.__getitem__) == OURS
