"""Pictures that --plot asks for: which files they may be, and how they are written."""

from __future__ import annotations

from pathlib import Path

from leadline.cli.new_file import check_directory, replace
from leadline.cli.saying import say
from leadline.errors import UsageError

PICTURES = (".svg", ".pdf", ".png")


def check_picture(path: str) -> None:
    """UsageError unless the name ends as that of a picture, in a directory that is there."""
    if Path(path).suffix.lower() not in PICTURES:
        raise UsageError(f"--plot {path}: end the name in .svg, .pdf or .png")
    check_directory(path, "--plot")


def form_of(path: str) -> str:
    """The picture's kind, by the end of its name: svg, pdf or png."""
    return Path(path).suffix.lower().removeprefix(".")


def write_image(image: bytes, path: str) -> None:
    """Writes it and says so; UsageError where the file can't be written."""
    replace(path, image, "--plot")
    say(f"wrote {path}")
