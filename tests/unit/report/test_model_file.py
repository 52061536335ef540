"""The model file and rows of models: programs read them, `leadline predict` among these."""

from __future__ import annotations

import csv
import json

from harness.models import EVERY, REFUSED, bcast, lacking
from harness.synthetic import Campaign
from harness.synthetic import pingpong as pingpong_cell
from tests.support import json_schema

from leadline.models.file import read_models
from leadline.report.formats.csv_text import csv_text
from leadline.report.formats.json_text import document_text
from leadline.report.programs.fitted import fitted_content, fitted_records
from leadline.report.text.fitted import Fitted

RUN = Campaign(["mpich"], (pingpong_cell(8),)).run()
FITTED = Fitted(RUN, EVERY, (REFUSED,))


def test_model_file_keeps_to_its_schema_and_is_read_back_as_it_was() -> None:
    text = document_text(fitted_content(FITTED))
    json_schema.check("fit", text)
    found = read_models(text, "model.json")
    assert repr(found.models) == repr(EVERY)
    assert found.refused == (REFUSED,)


def test_residuals_are_read_back_as_they_were() -> None:
    text = document_text(fitted_content(Fitted(RUN, (lacking(),), ())))
    json_schema.check("fit", text)
    assert repr(read_models(text, "model.json").models) == repr((lacking(),))


def test_model_file_has_the_algorithm_at_the_largest_sizes_and_all_of_them() -> None:
    (model,) = fitted_content(Fitted(RUN, (bcast(),), ()))["models"]
    assert model["algorithm"] == model["algorithms"][-1]
    assert [one["name"] for one in model["algorithms"]] == ["binomial", None]


def test_rows_have_a_coefficient_each_and_the_piece_that_it_belongs_to() -> None:
    lines = csv_text(fitted_records(FITTED)).splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert len(rows) == 3 * 2 + 2 * 4 + 2 * 3 + 2 + 2
    last = rows[5]
    assert (last["name"], last["unit"], last["least_bytes"]) == ("D", "s/B", str(1 << 20))
    assert json.loads(rows[6]["ranks"]) == [2, 4, 8, 12, 16, 32, 64]
    (refused,) = (line for line in lines if line.startswith("#") and REFUSED.reason in line)
    assert REFUSED.variant in refused and REFUSED.pattern in refused
