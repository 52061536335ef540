"""The figures of a study, a file each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.studies.study import Studied, Study

SIZE_IN = (5.0, 3.6)


def check_figures(study: Study, folder: str | None) -> None:
    """UsageError where figures can't be drawn into `folder`, before anything is measured."""
    if folder is None:
        return
    if study.figures is None:
        raise UsageError(f"--figures: the paper of the study {study.name} has none; leave it out")
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--figures {folder}: {error.strerror or error}") from None


def write_figures(studied: Studied, folder: str | None) -> None:
    """Draws each figure that has a curve into `folder`, over what has its name; None: none."""
    if folder is None:
        return
    from leadline.cli.report import write
    from leadline.report.figures.figure import drawn
    from leadline.report.figures.studied import studied_figure

    for figure in studied.figures:
        path = Path(folder) / f"{figure.name}.svg"
        if figure.curves:
            write(str(path), drawn(studied_figure(figure), "svg", SIZE_IN), "--figures")
