"""Figures of papers in a folder, an SVG each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from leadline.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leadline.studies.figures import StudyFigure

SIZE_IN = (5.0, 3.6)


def check_folder(folder: str, option: str) -> None:
    """Makes it where it is missing; UsageError where that can't be, before anything is computed."""
    if Path(folder).is_file():
        raise UsageError(f"{option} {folder} is a file; name a folder")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{option} {folder}: {error.strerror or error}") from None


def draw_each(figures: Iterable[StudyFigure], folder: str, option: str) -> None:
    """Draws each figure that has a curve into `folder`, over what has its name."""
    from leadline.cli.report import write
    from leadline.report.figures.figure import drawn
    from leadline.report.figures.studied import studied_figure

    for figure in figures:
        path = Path(folder) / f"{figure.name}.svg"
        if figure.curves:
            write(str(path), drawn(studied_figure(figure), "svg", SIZE_IN), option)
