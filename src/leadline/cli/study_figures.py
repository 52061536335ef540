"""The figures of a study, a file each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leadline.cli.figure_folder import check_folder, draw_each
from leadline.errors import UsageError

if TYPE_CHECKING:
    from leadline.studies.study import Studied, Study


def check_figures(study: Study, folder: str | None) -> None:
    """UsageError where figures can't be drawn into `folder`, before anything is measured."""
    if folder is None:
        return
    if study.figures is None:
        raise UsageError(f"--figures: the paper of the study {study.name} has none; leave it out")
    check_folder(folder, "--figures")


def write_figures(studied: Studied, folder: str | None) -> None:
    """Draws each figure that has a curve into `folder`, over what has its name; None: none."""
    if folder is not None:
        draw_each(studied.figures, folder, "--figures")
