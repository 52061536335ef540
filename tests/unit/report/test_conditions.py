"""For which conditions models are: the state of the cores, and how far runs lie apart."""

from __future__ import annotations

from dataclasses import replace

from harness.models import bcast, pingpong, stated
from harness.synthetic import Campaign
from harness.synthetic import pingpong as pingpong_cell

from leadline.models.model import RunSpread
from leadline.models.points import points_of
from leadline.models.reading import ModelFile, read_models
from leadline.report.formats.json_text import document_text
from leadline.report.formats.plain_text import text_lines
from leadline.report.programs.fitted import fitted_content
from leadline.report.text.conditions import condition_notes
from leadline.report.text.fitted import Fitted, fitted_document
from leadline.report.text.predicted import Predicted, predicted_document

RUN = Campaign(["mpich"], (pingpong_cell(8),)).run()


def printed(fitted: Fitted) -> str:
    return "\n".join(line.text for line in text_lines(fitted_document(fitted), 120))


def test_state_of_the_cores_is_told_once_for_all_models_with_the_command_that_tells_it() -> None:
    here = [replace(one, handover_ns=107.0) for one in (pingpong(), bcast())]
    note, _ = condition_notes([*here, stated()], "two")
    assert note.startswith("For cores that hand a cache line to and fro in 107 ns;")
    assert note.endswith("`leadline compare two NEW_RUN` says whether those of a new run do.")
    assert printed(Fitted(RUN, tuple(here), ())).count("cache line") == 1
    model, _ = fitted_content(Fitted(RUN, tuple(here), ()))["models"]
    assert "in 107 ns;" in model["sentence"]


def test_state_of_the_cores_is_not_told_where_it_isnt_known_or_one() -> None:
    near, far = (replace(pingpong(), handover_ns=ns) for ns in (107.0, 400.0))
    for models in ([pingpong()], [near, far]):
        assert "cache line" not in " ".join(condition_notes(models, "run"))


def test_how_far_runs_lie_apart_is_told_or_that_nobody_knows() -> None:
    def told(apart: RunSpread | None) -> str:
        scatter = pingpong().scatter
        assert scatter is not None
        model = replace(pingpong(), scatter=replace(scatter, runs_apart=apart))
        (model,) = read_models(
            document_text(fitted_content(Fitted(RUN, (model,), ()))), "it"
        ).models
        return " ".join(condition_notes([model, stated()], "run"))

    assert told(None).startswith("Intervals of predictions are of a campaign of the same hour")
    assert "apart by 3 % (standard deviation, as stated)" in told(RunSpread(0.02956, 1.96, 0))
    assert "3 % (standard deviation, as 5 runs here do)" in told(RunSpread(0.02956, 2.8, 5))
    assert list(condition_notes([stated()], "run")) == []


def test_interval_is_of_the_same_hour_where_nobody_knows_how_far_runs_lie_apart() -> None:
    scatter = pingpong().scatter
    assert scatter is not None
    known = replace(pingpong(), scatter=replace(scatter, runs_apart=RunSpread(0.03, 1.96, 0)))
    for model, words in ((pingpong(), "campaign of the same hour lies"), (known, "campaign lies")):
        file = ModelFile("run", (model,), ())
        found = points_of(file, "pingpong", None, [2], [8])
        document = predicted_document(Predicted("model.json", "run", found))
        text = " ".join(line.text for line in text_lines(document, 120))
        assert f"the median of a new {words} within in 95 of 100." in " ".join(text.split())
