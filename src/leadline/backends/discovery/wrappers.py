"""Where compiler wrappers (mpicc) may be; nothing is run here."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leadline.backends.backend import usable_name
from leadline.backends.kinds import KINDS
from leadline.backends.recognition import compiler_names, standard_of
from leadline.errors import UsageError
from leadline.files import config_directory, data_directory, home, read_plain

NAMES = compiler_names()

USUAL_FOLDERS = (
    "usr/bin",
    "usr/local/bin",
    "usr/local/*mpi*/bin",
    "usr/local/*mvapich*/bin",
    "usr/lib64/*mpi*/bin",
    "usr/lib/*mpi*/bin",
    "usr/lib/*/*mpi*/bin",
    "opt/*mpi*/bin",
    "opt/*mpi*/*/bin",
    "usr/local/*shmem*/bin",
    "opt/*shmem*/bin",
    "opt/*shmem*/*/bin",
    "opt/*mvapich*/bin",
    "opt/amazon/openmpi*/bin",
    "opt/hpcx/ompi/bin",
    "opt/intel/oneapi/mpi/*/bin",
    "home/linuxbrew/.linuxbrew/bin",
)
SPACK_FOLDERS = tuple(
    f"{levels}/{package}/bin"
    for package in ("*mpich-*", "*openmpi-*", "*mvapich*-*", "intel-oneapi-mpi-*/mpi/*")
    for levels in ("*", "*/*")
)
"""Below opt/spack: architecture/package in Spack 1, architecture/compiler/package before."""

MOST_MODULEFILES = 500
MODULEFILE_NAME = re.compile(r"(?<!co)mpi|mvapich", re.IGNORECASE)
"""Modules of compilers are not meant."""
ABSOLUTE_PATH = re.compile(r"/[^\s\"'{}()\[\]:;,$]+")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A compiler wrapper, and the name that the user gave it in the config file."""

    path: Path
    name: str | None = None


def wrappers(given: Sequence[str], root: Path = Path("/")) -> list[Wrapper]:
    """All compiler wrappers, each once however many links lead to it, in order of precedence.

    Those of the machine come first: what they are called doesn't depend on a command line.

    Args:
        given: From the command line.
        root: Where usual prefixes are looked for.
    """
    found = itertools.chain(
        configured_wrappers(config_directory() / "config.toml"),
        _in_folders(prefix / "bin" for prefix in installed_prefixes("*")),
        _in_folders(_path_folders()),
        _in_folders(_usual_folders(root)),
        _in_folders(_spack_folders()),
        _in_folders(_module_folders()),
        given_wrappers(given),
    )
    distinct: dict[tuple[int, int, str], Wrapper] = {}
    for wrapper in found:
        distinct.setdefault(identity(wrapper.path), wrapper)
    return list(distinct.values())


def identity(wrapper: Path) -> tuple[int, int, str]:
    """What two paths of one wrapper share; one file may be several's, acting by its name."""
    status = wrapper.stat()
    return status.st_dev, status.st_ino, standard_of(wrapper.name).name


def installed_prefixes(library: str) -> list[Path]:
    """Prefixes that `leadline get` made for `library` ("*": for any), newest version first."""
    return newest_first([data_directory() / "mpi"], f"{library}-[0-9]*")


def newest_first(folders: Iterable[Path], pattern: str) -> list[Path]:
    """What matches `pattern` below `folders`; within a folder the highest numbers come first."""

    def numbers(path: Path) -> list[int]:
        return [int(number) for number in re.findall(r"\d+", str(path))]

    return [
        path
        for folder in folders
        for path in sorted(sorted(folder.glob(pattern)), key=numbers, reverse=True)
    ]


def given_wrappers(words: Sequence[str]) -> list[Wrapper]:
    """Wrappers that a command line names by path, by the prefix they're in or a name on PATH."""
    paths = [Path(word if "/" in word else shutil.which(word) or word) for word in words]
    return [Wrapper(_given(path).absolute()) for path in paths]


def _given(path: Path) -> Path:
    """The wrapper at `path`, or in the prefix, or in the bin folder, that it is."""
    if path.is_file():
        return path
    if not path.is_dir():
        raise UsageError(f"compiler wrapper {str(path)!r}: no such file; give an mpicc's path")
    inside = next(_in_folders((path / "bin", path)), None)
    if inside is None:
        raise UsageError(
            f"compiler wrapper {str(path)!r}: is a folder without bin/mpicc; give the path of an "
            "mpicc, or the prefix that has bin/mpicc in it"
        )
    return inside.path


def configured_wrappers(file: Path) -> list[Wrapper]:
    """Wrappers in [[mpi]] tables (mpicc, and optionally name) of the config file, if it exists."""
    try:
        tables = tomllib.loads(read_plain(file).decode()).get("mpi", [])
    except FileNotFoundError:
        return []
    except RecursionError:
        raise UsageError(f"{file}: lists within lists, too deep; write [[mpi]] tables") from None
    except OSError as error:
        raise UsageError(f"{file}: can't be read: {error.strerror}") from None
    except ValueError as error:  # no UTF-8, no TOML, or a number of more digits than Python reads
        raise UsageError(f"{file}: {error}") from None
    if not isinstance(tables, list):
        raise UsageError(f"{file}: mpi is not a list of tables; write [[mpi]]")
    found = [_configured(file, table) for table in tables]
    names = [wrapper.name for wrapper in found if wrapper.name is not None]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"{file}: two libraries are called {twice!r}; give each its own name")
    return found


def _configured(file: Path, table: Any) -> Wrapper:
    entry = table if isinstance(table, dict) else {}
    mpicc, name = entry.get("mpicc"), entry.get("name")
    if not isinstance(mpicc, str) or not (name is None or isinstance(name, str)):
        raise UsageError(
            f'{file}: an [[mpi]] table needs mpicc = "PATH", and may have name = "..."'
        )
    path = Path(os.path.expanduser(mpicc))  # noqa: PTH111  # leaves a home that nobody knows
    if not path.is_absolute() or not path.is_file():
        raise UsageError(f"{file}: mpicc = {mpicc!r}: no such file; give an absolute path")
    if name is not None:
        _check_name(file, name)
    return Wrapper(path, name)


def _check_name(file: Path, name: str) -> None:
    """UsageError for one that no command could ask for, or that says what a library isn't.

    Records and comparisons tell raw transports, the limits of libraries, by these very names.
    """
    if not usable_name(name):
        raise UsageError(
            f"{file}: name = {name!r} can't be a library's; take letters, digits and . _ @ + # -"
        )
    kind = re.split("[@#]", name.casefold())[0]
    if kind in KINDS:
        raise UsageError(
            f"{file}: name = {name!r} is kept for {KINDS[kind].title}; give another, such as "
            f"'my-{kind}', or leave name out"
        )


def _in_folders(folders: Iterable[Path]) -> Iterator[Wrapper]:
    """Folders and files that may not be read count as absent."""
    for folder in folders:
        for name in NAMES:
            if os.path.isfile(folder / name):  # noqa: PTH113  # Path.is_file raises on EACCES
                yield Wrapper(folder / name)


def _path_folders() -> list[Path]:
    folders = map(Path, os.environ.get("PATH", "").split(os.pathsep))
    return [folder for folder in folders if folder.is_absolute()]


def _usual_folders(root: Path) -> list[Path]:
    return [folder for pattern in USUAL_FOLDERS for folder in newest_first([root], pattern)]


def _spack_folders() -> list[Path]:
    roots = [home() / "spack"]
    if os.environ.get("SPACK_ROOT"):
        roots.insert(0, Path(os.environ["SPACK_ROOT"]))
    trees = [root / "opt" / "spack" for root in roots]
    return [folder for pattern in SPACK_FOLDERS for folder in newest_first(trees, pattern)]


def _module_folders() -> Iterator[Path]:
    """Prefixes named in modulefiles of MPI libraries, and their bin folders; Tcl or Lua."""
    for file in itertools.islice(_modulefiles(), MOST_MODULEFILES):
        try:
            text = read_plain(file).decode(errors="replace")
        except OSError:
            continue
        for word in dict.fromkeys(ABSOLUTE_PATH.findall(text)):
            yield from (Path(word), Path(word) / "bin")


def _modulefiles() -> Iterator[Path]:
    for folder in os.environ.get("MODULEPATH", "").split(os.pathsep):
        for parent, folders, files in os.walk(folder) if folder else ():
            folders.sort()
            below = os.path.relpath(parent, folder)
            named = (Path(parent) / name for name in sorted(files))
            yield from (f for f in named if MODULEFILE_NAME.search(f"{below}/{f.name}"))
