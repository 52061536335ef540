"""For which conditions models are: the state of the cores, and how far runs lie apart."""

from __future__ import annotations

from dataclasses import replace

from harness.models import bcast, pingpong, stated
from harness.synthetic import Campaign
from harness.synthetic import pingpong as pingpong_cell
from syrupy.assertion import SnapshotAssertion

from leadline.models.file import ModelFile, read_models
from leadline.models.model import RunSpread
from leadline.models.points import points_of
from leadline.report.formats.json_text import document_text
from leadline.report.programs.fitted import fitted_content
from leadline.report.text.closed_forms import condition_notes
from leadline.report.text.fitted import Fitted, fitted_document
from leadline.report.text.predicted import Predicted, predicted_document

RUN = Campaign(["mpich"], (pingpong_cell(8),)).run()


def test_state_of_the_cores_is_told_once_for_all_models_with_the_command_that_tells_it(
    snapshot: SnapshotAssertion,
) -> None:
    here = [replace(one, core_latency_ns=107.0) for one in (pingpong(), bcast())]
    note, _ = condition_notes([*here, stated()], "two")
    assert note == snapshot
    document = fitted_document(Fitted(RUN, tuple(here), ()))
    assert sum("107 ns" in note for section in document for note in section.notes) == 1
    model, _ = fitted_content(Fitted(RUN, tuple(here), ()))["models"]
    assert "107 ns" in model["sentence"]


def test_state_of_the_cores_is_not_told_where_it_isnt_known_or_one(
    snapshot: SnapshotAssertion,
) -> None:
    near, far = (replace(pingpong(), core_latency_ns=ns) for ns in (107.0, 400.0))
    (unknown,), (several,) = (condition_notes(of, "run") for of in ([pingpong()], [near, far]))
    assert unknown == several == snapshot


def test_how_far_runs_lie_apart_is_told_or_that_nobody_knows(snapshot: SnapshotAssertion) -> None:
    def told(apart: RunSpread | None) -> list[str]:
        scatter = pingpong().scatter
        assert scatter is not None
        model = replace(pingpong(), scatter=replace(scatter, runs_apart=apart))
        (model,) = read_models(
            document_text(fitted_content(Fitted(RUN, (model,), ()))), "it"
        ).models
        return list(condition_notes([model, stated()], "run"))

    spreads = (None, RunSpread(0.02956, 1.96, 0), RunSpread(0.02956, 2.8, 5))
    assert [told(apart) for apart in spreads] == snapshot
    assert list(condition_notes([stated()], "run")) == []


def test_interval_is_of_the_same_hour_where_nobody_knows_how_far_runs_lie_apart(
    snapshot: SnapshotAssertion,
) -> None:
    scatter = pingpong().scatter
    assert scatter is not None
    known = replace(pingpong(), scatter=replace(scatter, runs_apart=RunSpread(0.03, 1.96, 0)))
    for model in (pingpong(), known):
        file = ModelFile("run", (model,), ())
        found = points_of(file, "pingpong", None, [2], [8])
        section, *_ = predicted_document(Predicted("model.json", "run", found))
        assert section.notes == snapshot
