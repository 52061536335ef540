"""Run by a Python that has Extra-P: models the curves in a file, and says what the models expect.

python extrap_models.py FILE MODELER ... <POINTS, with JSON in and out: for each modeler and call
path the function, as Extra-P writes it, and its values at the points, null where it has none.
"""

from __future__ import annotations

import json
import math
import sys
from typing import Any

from extrap.entities.measurement import Measure
from extrap.fileio.file_reader.json_file_reader import JsonFileReader
from extrap.fileio.file_reader.text_file_reader import TextFileReader
from extrap.modelers.model_generator import ModelGenerator


def main() -> None:
    """Writes what is asked for to stdout."""
    file, *modelers = sys.argv[1:]
    points = json.load(sys.stdin)
    reader = TextFileReader if file.endswith(".txt") else JsonFileReader
    experiment = reader().read_experiment(file)
    found = {}
    for name in modelers:
        generator = ModelGenerator(experiment, modeler=name, use_measure=Measure.MEDIAN)
        generator.model_all()
        found[name] = {
            str(path): _modelled(model.hypothesis.function, points)
            for (path, _), model in generator.models.items()
        }
    json.dump(found, sys.stdout)


def _modelled(function: Any, points: list[float]) -> dict[str, object]:
    values = [float(function.evaluate(point)) for point in points]
    return {
        "function": function.to_string("bytes"),
        "seconds": [value if math.isfinite(value) else None for value in values],
    }


if __name__ == "__main__":
    main()
