"""Installs an MPI from PyPI's wheels into a prefix of its own, without root."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.discovery import identify
from leadline.backends.discovery.wrappers import installed_prefixes
from leadline.backends.kinds import INSTALLABLE, KINDS, title_of
from leadline.errors import SLIP, MachineError, UsageError, unknown_name
from leadline.files import data_directory
from leadline.processes import run

REQUIREMENT = re.compile(r"([\w.-]+?)(?:==(\d[\w.!+-]*))?")
STAGING = ".new."
"""Begins the name of an unfinished prefix; without a hyphen, which finished ones have."""
STALE_S = 3600.0
PATIENCE_S = 1800.0
"""For downloading and unpacking one library: Intel's takes 300 MB."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A library to install (pip's term), in a version or (None) whichever there is."""

    library: str
    version: str | None

    def __str__(self) -> str:
        """As on the command line."""
        return self.library if self.version is None else f"{self.library}=={self.version}"


@dataclass(frozen=True, slots=True)
class Installation:
    """A library in its prefix, which was found to work."""

    prefix: Path
    backend: Backend
    fresh: bool
    """False: it was there before."""


def parse_requirement(text: str) -> Requirement:
    """The Requirement in "mpich" or "impi==2021.13.1"; UsageError names the nearest library."""
    match = REQUIREMENT.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is not a library; write mpich or mpich==4.3.2")
    if match[1] not in INSTALLABLE:
        raise unknown_name("library", match[1], INSTALLABLE, cutoff=SLIP)
    return Requirement(match[1], match[2])


def install(
    requirement: Requirement, announce: Callable[[str], None] = lambda _: None
) -> Installation:
    """The installation that `requirement` asks for, made unless it is there; verified either way.

    Args:
        requirement: Without a version any installed one will do; the network isn't asked then.
        announce: Called with a sentence before a step that takes long.

    Raises:
        MachineError: No network, no such version, no pip, no compiler, or a library that doesn't
            work once installed.
    """
    present = [
        prefix
        for prefix in installed_prefixes(requirement.library)
        if requirement.version in (None, prefix.name.removeprefix(f"{requirement.library}-"))
    ]
    if present:
        return Installation(present[0], _verified(present[0]), fresh=False)
    folder = data_directory() / "mpi"
    if re.search(r"\s", str(folder)):
        raise MachineError(
            f"{folder}: the path has a space, which MPICH's compiler wrapper doesn't survive; "
            "set XDG_DATA_HOME to a folder without one"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(
            f"{folder}: {error.strerror}; set XDG_DATA_HOME to a folder of yours"
        ) from error
    for left in folder.glob(f"{STAGING}*"):  # by installations that were killed
        if left.stat().st_mtime < time.time() - STALE_S:
            shutil.rmtree(left, ignore_errors=True)
    announce(f"installing {requirement} below {folder}")
    prefix = _make_prefix(requirement, folder)
    return Installation(prefix, _verified(prefix), fresh=True)


def _verified(prefix: Path) -> Backend:
    """The backend in `prefix`; MachineError if it can't be used."""
    backend = identify(prefix / "bin" / "mpicc")
    if not backend.usable:
        raise MachineError(
            f"{prefix} is installed, but can't be used: {backend.reason}; remedy: {backend.remedy}"
        )
    return backend


def _make_prefix(requirement: Requirement, folder: Path) -> Path:
    """Fills an unfinished prefix, then renames it: a finished one is complete.

    The libraries find their own files by where they are, so renaming doesn't break them.
    """
    staging = Path(tempfile.mkdtemp(prefix=STAGING, dir=folder))
    python = sys.executable
    try:
        if run([python, "-m", "pip", "--version"], PATIENCE_S).status != 0:
            raise MachineError(
                f"{python} has no pip, which installs {title_of(requirement.library)}; "
                f"get it: {python} -m ensurepip, or apt-get install python3-pip"
            )
        _must_end_well(requirement, [python, "-m", "venv", "--without-pip", str(staging)])
        pip = [python, "-m", "pip", "--python", str(staging / "bin" / "python"), "install"]
        pip += ["--quiet", "--no-input", "--disable-pip-version-check", "--no-compile"]
        pip += ["--only-binary", ":all:", "--retries", "2"]
        wanted = [
            package if requirement.version is None else f"{package}=={requirement.version}"
            for package in KINDS[requirement.library].wheels
        ]
        _must_end_well(requirement, [*pip, *wanted])
        prefix = (
            folder / f"{requirement.library}-{_installed_version(requirement.library, staging)}"
        )
        if not prefix.exists():  # else another process was first, with the same contents
            staging.rename(prefix)
        return prefix
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _must_end_well(requirement: Requirement, argv: list[str]) -> None:
    """Runs a command; MachineError with the errors that it prints where it fails."""
    ending = run(argv, PATIENCE_S)
    if ending.status != 0:
        errors = re.findall(r"^ERROR: (.*)$", ending.output, re.MULTILINE)
        raise MachineError(
            f"{requirement} can't be installed: {'; '.join(errors) or ending.first_complaint()}; "
            "check the version and the network"
        )


def _installed_version(library: str, prefix: Path) -> str:
    """The version of the library's first wheel in `prefix`; MachineError if it isn't there."""
    wheel = KINDS[library].wheels[0]
    folders = [str(folder) for folder in prefix.glob("lib/python*/site-packages")]
    for distribution in distributions(path=folders):
        if distribution.metadata["Name"].replace("_", "-") == wheel:
            return distribution.version
    raise MachineError(f"{wheel} was installed, but not into {prefix}; try again")
