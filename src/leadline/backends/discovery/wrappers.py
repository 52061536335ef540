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
"""Patterns below opt/spack: architecture/package in Spack 1, before that
architecture/compiler/package."""

MOST_MODULEFILES = 500
MODULEFILE_NAME = re.compile(r"(?<!co)mpi|mvapich", re.IGNORECASE)
"""Names of modules of MPI libraries; those of compilers ("compiler") are excluded."""
ABSOLUTE_PATH = re.compile(r"/[^\s\"'{}()\[\]:;,$]+")


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A compiler wrapper, and the name that the user gave it in the config file."""

    path: Path
    name: str | None = None


def wrappers(given: Sequence[str], root: Path = Path("/")) -> list[Wrapper]:
    """All compiler wrappers, each once however many links lead to it, in order of precedence.

    Those of the machine come first, so that their names don't depend on a command line.

    Args:
        given: Words of the command line, as for given_wrappers.
        root: The folder below which usual prefixes are looked for.
    """
    on_path = map(Path, os.environ.get("PATH", "").split(os.pathsep))
    usual = (folder for pattern in USUAL_FOLDERS for folder in newest_first([root], pattern))
    spack_roots = (os.environ.get("SPACK_ROOT"), home() / "spack")
    trees = [Path(folder) / "opt" / "spack" for folder in spack_roots if folder]
    spack = (folder for pattern in SPACK_FOLDERS for folder in newest_first(trees, pattern))
    found = itertools.chain(
        configured_wrappers(config_directory() / "config.toml"),
        _in_folders(prefix / "bin" for prefix in installed_prefixes("*")),
        _in_folders(folder for folder in on_path if folder.is_absolute()),
        _in_folders(usual),
        _in_folders(spack),
        _in_folders(_module_folders()),
        given_wrappers(given),
    )
    distinct: dict[tuple[int, int, str], Wrapper] = {}
    for wrapper in found:
        distinct.setdefault(identity(wrapper.path), wrapper)
    return list(distinct.values())


def identity(wrapper: Path) -> tuple[int, int, str]:
    """Equal for two paths of one wrapper: device, inode, and the standard that its name stands for.

    One file may be the wrapper of several standards, and act by the name that it is called by.
    """
    status = wrapper.stat()
    return status.st_dev, status.st_ino, standard_of(wrapper.name).name


def installed_prefixes(library: str) -> list[Path]:
    """Prefixes that `leadline get` made for `library` ("*": for any), newest version first."""
    return newest_first([data_directory() / "mpi"], f"{library}-[0-9]*")


def newest_first(folders: Iterable[Path], pattern: str) -> list[Path]:
    """Paths that match `pattern` below `folders`, in each folder the highest numbers first."""

    def numbers(path: Path) -> list[int]:
        return [int(number) for number in re.findall(r"\d+", str(path))]

    return [
        path
        for folder in folders
        for path in sorted(sorted(folder.glob(pattern)), key=numbers, reverse=True)
    ]


def given_wrappers(words: Sequence[str]) -> list[Wrapper]:
    """Wrappers that a command line names by path, by the prefix they're in or a name on PATH.

    UsageError for a word that is none of these.
    """
    found = []
    for word in words:
        path = Path(word if "/" in word else shutil.which(word) or word)
        if path.is_file():
            found.append(Wrapper(path.absolute()))
            continue
        if not path.is_dir():
            raise UsageError(f"compiler wrapper {str(path)!r}: no such file; give an mpicc's path")
        inside = next(_in_folders((path / "bin", path)), None)  # a prefix, or its bin folder
        if inside is None:
            raise UsageError(
                f"compiler wrapper {str(path)!r}: is a folder without bin/mpicc; give the path of "
                "an mpicc, or the prefix that has bin/mpicc in it"
            )
        found.append(Wrapper(inside.path.absolute()))
    return found


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
    """The wrapper in one [[mpi]] table of `file`; UsageError says what is wrong with it."""
    entry = table if isinstance(table, dict) else {}
    mpicc, name = entry.get("mpicc"), entry.get("name")
    if not isinstance(mpicc, str) or not (name is None or isinstance(name, str)):
        raise UsageError(
            f'{file}: an [[mpi]] table needs mpicc = "PATH", and may have name = "..."'
        )
    path = Path(os.path.expanduser(mpicc))  # noqa: PTH111  # leaves a home that nobody knows
    if not path.is_absolute() or not path.is_file():
        raise UsageError(f"{file}: mpicc = {mpicc!r}: no such file; give an absolute path")
    if name is None:
        return Wrapper(path)
    if not usable_name(name):
        raise UsageError(
            f"{file}: name = {name!r} can't be a library's; take letters, digits and . _ @ + # -"
        )
    kind = re.split("[@#]", name.casefold())[0]
    if kind in KINDS:  # by whose names records and comparisons know raw transports
        raise UsageError(
            f"{file}: name = {name!r} is kept for {KINDS[kind].title}; give another, such as "
            f"'my-{kind}', or leave name out"
        )
    return Wrapper(path, name)


def _in_folders(folders: Iterable[Path]) -> Iterator[Wrapper]:
    """The wrappers in `folders`; folders and files that may not be read count as absent."""
    for folder in folders:
        for name in NAMES:
            if os.path.isfile(folder / name):  # noqa: PTH113  # Path.is_file raises on EACCES
                yield Wrapper(folder / name)


def _module_folders() -> Iterator[Path]:
    """Prefixes named in modulefiles (Tcl or Lua) of MPI libraries, and their bin folders."""
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
