"""Model files: read back as they were written, and refused with a reason when they are not."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from harness.models import EVERY, REFUSED
from harness.synthetic import Campaign, pingpong
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import FileError
from leadline.models.file import VERSION, read_models
from leadline.models.prediction import predict
from leadline.record.run import WhoseTime
from leadline.report.formats.json_text import document_text
from leadline.report.programs.fitted import fitted_content
from leadline.report.text.fitted import Fitted

RUN = Campaign(["mpich"], (pingpong(8),)).run()
TEXT = document_text(fitted_content(Fitted(RUN, EVERY, (REFUSED,)))) + "\n"
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1.5,
    1e308,
    10**400,
    "",
    "x",
    [],
    {},
    [[]],
    float("nan"),
    float("inf"),
    "\ud800",
    {"\ud800": 1},
    "a - at `$.y`",
)
"""What may stand in any place of a file, and belongs in few."""
Place = tuple[str | int, ...]


def refusal(content: str) -> str:
    with pytest.raises(FileError) as caught:
        read_models(content, "model.json")
    assert str(caught.value).startswith("model.json")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def places(value: Any, above: Place = ()) -> Iterator[Place]:
    """Of everything in a JSON value."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*above, key)
            yield from places(one, (*above, key))


def planted(place: Place, value: Any) -> str:
    """The file with `value` at `place`."""
    changed = copy.deepcopy(json.loads(TEXT))
    inner = changed
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return json.dumps(changed)


def at(*place: str | int) -> Place:
    """A place within the first model."""
    return ("models", 0, *place)


def test_models_are_read_as_they_were_written() -> None:
    found = read_models(TEXT, "model.json")
    assert found.run == "run"
    assert repr(found.models) == repr(EVERY)
    assert found.refused == (REFUSED,)


def test_state_of_the_cores_is_read_as_it_was_written() -> None:
    model = replace(EVERY[0], core_latency_ns=107.0)
    text = document_text(fitted_content(Fitted(RUN, (model,), ())))
    assert [one.core_latency_ns for one in read_models(text, "model.json").models] == [107.0]


def test_file_that_doesnt_say_whose_time_it_is_of_stays_readable() -> None:
    content = json.loads(TEXT)
    content["models"] = [
        {key: value for key, value in one.items() if key != "whose_time"}
        for one in content["models"]
    ]
    found = read_models(json.dumps(content), "model.json")
    assert {one.whose_time for one in found.models} == {WhoseTime.UNSTATED}


def test_models_read_predict_as_those_that_were_written() -> None:
    for before, after in zip(EVERY, read_models(TEXT, "model.json").models, strict=True):
        pair = [predict(one, before.ranks[0], [0, 100, 2**20]) for one in (before, after)]
        assert repr(pair[0]) == repr(pair[1])


def test_former_names_are_read_by_those_of_today() -> None:
    content = json.loads(TEXT)
    content["leadline_model"] = 1
    for model in content["models"]:
        model["domain"]["handover_ns"] = model["domain"].pop("core_latency_ns")
        model["pattern"] = "total_exchange:skewed"
    for one in content["refused"]:
        one["pattern"] = "itotal_exchange"
    found = read_models(json.dumps(content), "model.json")
    assert {one.pattern for one in found.models} == {"alltoall:skewed"}
    assert {one.pattern for one in found.refused} == {"ialltoall"}
    before = read_models(TEXT, "model.json")
    assert [one.core_latency_ns for one in found.models] == [
        one.core_latency_ns for one in before.models
    ]


# -- refused ---------------------------------------------------------------------------------------


def test_file_cut_at_any_byte_is_refused() -> None:
    rng = random.Random(1)
    for end in {0, 1, 2, len(TEXT) - 3, *rng.sample(range(len(TEXT) - 2), 300)}:
        assert "leadline fit" in refusal(TEXT[:end])


def test_cut_file_names_the_line_at_which_it_ends() -> None:
    half = TEXT[: TEXT.index('"pieces"')]
    line = half.count("\n") + 1
    assert refusal(half).startswith(f"model.json:{line}: ")


def test_newer_version_says_what_to_do(snapshot: SnapshotAssertion) -> None:
    assert refusal(planted(("leadline_model",), VERSION + 1)) == snapshot


def test_what_is_no_model_file_is_told_what_makes_one(snapshot: SnapshotAssertion) -> None:
    contents = [
        "",
        " \n",
        "[]",
        "RIFF\x00",
        "{}",
        '{"run": 1}',
        '{"models": []}',
    ]
    assert refusals(lambda one: read_models(one, "model.json"), contents, FileError) == snapshot


@pytest.mark.parametrize("content", ["{" * 100_000, '{"leadline_model": ' + "[" * 200_000])
def test_what_is_nested_too_deep_is_refused_without_a_traceback(content: str) -> None:
    assert "leadline fit" in refusal(content)


def test_value_that_cant_be_is_named_with_its_place(snapshot: SnapshotAssertion) -> None:
    given: list[tuple[Place, Any]] = [
        (at("pieces", 1, "least_bytes"), "8"),
        (at("pieces", 1, "least_bytes"), 8),
        (at("pieces", 0, "rank_set"), "others"),
        (at("pieces", 0, "rank_set"), "powers of two"),
        (at("pieces", 0, "covariance"), []),
        (at("pieces", 0, "covariance"), [[1.0, 2.0], [2.0, 1.0]]),
        (at("pieces", 0, "covariance"), [[1.0, 0.5], [0.0, 1.0]]),
        (at("pieces", 0, "covariance"), [[-1.0, 0.0], [0.0, 1.0]]),
        (at("coefficients", 0, "name"), "t0 p"),
        (at("coefficients", 0, "piece"), 3),
        (at("coefficients", 0, "piece"), 1),
        (at("coefficients", 0, "low"), None),
        (at("coefficients", 0, "low"), 1.0),
        (at("coefficients", 0, "value"), 1e300),
        (at("coefficients", 0, "value"), float("nan")),
        (at("breakpoints"), []),
        (at("breakpoints", 0, "kind"), "cliff"),
        (at("startup"), "p^2"),
        (at("ranks"), []),
        (at("ranks"), [4, 2]),
        (("models", 2, "ranks"), [2, 4, 8]),
        (at("variant"), ""),
        (at("variant"), "\ud800"),
        (at("pattern"), "a\nb"),
        (at("scatter", "noise"), -0.1),
        (at("residuals"), {"seconds": [[1e-6]], "between_ranks": 0.5}),
        (at("residuals"), {"seconds": [], "between_ranks": 1.5}),
        (at("breakpoints", 1, "high"), 1.0),
        (at("breakpoints", 0, "jump", "low"), 9.0),
        (("models", 1, "algorithms", 0, "name"), "a\tb"),
        (
            ("models", 1, "algorithms", 0, "over_lower_bound"),
            {"value": 1.0, "low": 2.0, "high": 3.0},
        ),
        (at("aggregate", 0, "bytes_per_s", "value"), None),
        (at("domain", "core_latency_ns"), -1.0),
        (at("warnings"), [{"code": "few_blocks", "cause": "a\x1b[31m", "remedy": "more"}]),
        (("warnings",), [{"code": "few_blocks", "cause": "few", "remedy": ""}]),
        (("refused", 0, "reason"), "\u202e"),
        (at("scatter", "runs_apart"), {"deviation": 1000.0, "quantile": 2.0, "runs": 4}),
        (at("scatter", "outside"), {}),
        (at("blocks"), True),
        (("models",), {}),
        (("run",), None),
    ]
    told = refusals(lambda case: read_models(planted(*case), "model.json"), given, FileError)
    assert told == snapshot


def test_odd_values_anywhere_are_refused_or_still_a_model() -> None:
    rng, every = random.Random(2), list(places(json.loads(TEXT)))
    for _ in range(600):
        content = planted(rng.choice(every), rng.choice(ODD))
        try:
            models = read_models(content, "model.json").models
        except FileError:
            continue
        for one in models:
            predict(one, one.ranks[0], [0, 100])


def test_key_that_lacks_is_named(snapshot: SnapshotAssertion) -> None:
    changed = json.loads(TEXT)
    del changed["models"][0]["pieces"]
    assert refusal(json.dumps(changed)) == snapshot
