"""Which backends this machine has: they are found, identified, named, and chosen from."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from leadline.backends.backend import Backend
from leadline.backends.discovery.probe import WRAPPER_FAILS, identify
from leadline.backends.discovery.pvm import find_pvm
from leadline.backends.discovery.smpi import find_smpi
from leadline.backends.discovery.wrappers import given_wrappers, identity, wrappers
from leadline.backends.kinds import KINDS, Kind
from leadline.backends.kinds.mpi import MPI, SMPI
from leadline.backends.kinds.pvm import PVM
from leadline.errors import UsageError, unknown_name

__all__ = ["Backend", "find_backends", "identify", "of_wrappers", "select"]

PROBES_AT_ONCE = 4


FINDERS: Mapping[str, Callable[[], Backend]] = {PVM.name: find_pvm, SMPI.name: find_smpi}
"""Libraries without a compiler wrapper that need more than the C compiler."""


def find_backends(mpicc: Sequence[str] = ()) -> list[Backend]:
    """Every backend, usable or not, under names that are unique; the same order every time.

    Libraries come first (those of the config file, installed by this tool, on PATH, elsewhere, of
    `mpicc`), then those kinds that could be installed, then pvm, smpi, shm, tcp, trace and null.

    Args:
        mpicc: Paths of further compiler wrappers; UsageError if there is no such file.
    """
    found = wrappers(mpicc)
    with ThreadPoolExecutor(PROBES_AT_ONCE) as pool:
        libraries = list(pool.map(identify, [wrapper.path for wrapper in found]))
    named = _named(libraries, [wrapper.name for wrapper in found])
    kinds = {backend.kind for backend in named}
    missing = [
        Backend(
            name=kind.name,
            kind=kind.name,
            version=None,
            usable=False,
            launcher=None,
            compiler=None,
            environment={},
            reason="not installed",
            remedy=kind.remedy,
            shared_memory="unknown",
        )
        for kind in KINDS.values()
        if kind.standard is not None and kind.name not in kinds and kind.remedy
    ]
    others = [kind for kind in KINDS.values() if kind.standard is None and kind.sources]
    ranking = [FINDERS[k.name]() if k.name in FINDERS else _local(k) for k in others]
    return [*named, *missing, *ranking]


def select(backends: Sequence[Backend], names: Iterable[str]) -> list[Backend]:
    """The usable backends called `names`, in that order; a name may be the path of an mpicc.

    The path of a prefix is that of the mpicc in its bin folder; kind@version is a name also of
    what goes by the plain name of its kind.

    Raises:
        UsageError: An unknown name, with the nearest one; or a backend that can't be used, with
            the reason and the remedy.
    """
    known, chosen = list(backends), []
    for name in names:
        backend = _at(name, known) if "/" in name else _called(name, known)
        if not backend.usable:
            if "/" in name and backend.kind == MPI.name:
                why = str(backend.reason).removeprefix(WRAPPER_FAILS)
                raise UsageError(
                    f"{name} is no MPI's compiler wrapper ({why}); give an mpicc's path"
                )
            raise UsageError(
                f"backend {name!r} can't be used: {backend.reason}; remedy: {backend.remedy}"
            )
        chosen.append(backend)
    return chosen


def of_wrappers(backends: Sequence[Backend], mpicc: Iterable[str]) -> list[Backend]:
    """The backends of the compiler wrappers that a command line names, by path or name on PATH.

    UsageError where one is no MPI's, or can't be used.
    """
    return select(backends, [str(wrapper.path) for wrapper in given_wrappers(list(mpicc))])


def _called(name: str, known: Sequence[Backend]) -> Backend:
    """The first of `known` called `name`, or else the first usable one that is kind@version."""
    versions = [b for b in known if name == f"{b.kind}@{b.version}" and b.usable]
    for backend in (*(b for b in known if b.name == name), *versions):
        return backend
    unknown = unknown_name("backend", name, [backend.name for backend in known])
    if not Path(name).is_dir():
        raise unknown
    raise UsageError(f"{unknown} ({name} is a folder here: for the library in it give ./{name})")


def _at(path: str, known: list[Backend]) -> Backend:
    """The backend whose compiler wrapper is `path`; it is added to `known` if it wasn't there."""
    wrapper = given_wrappers([path])[0].path
    for backend in known:
        # else its compiler is the machine's C compiler
        has_wrapper = KINDS[backend.kind].standard is not None or backend.kind == SMPI.name
        if not has_wrapper or backend.compiler is None:
            continue
        if identity(Path(backend.compiler)) == identity(wrapper):
            return backend
    known.append(_named([*known, identify(wrapper)], [*(b.name for b in known), None])[-1])
    return known[-1]


def _named(backends: Sequence[Backend], names: Sequence[str | None]) -> list[Backend]:
    """`backends` under their own `names` or, where None, under one made of kind and version.

    Usable ones choose first, so that a broken wrapper never takes the plain name.
    """
    final, taken = list(names), {name for name in names if name is not None}
    for index in sorted(range(len(backends)), key=lambda i: not backends[i].usable):
        if final[index] is not None:
            continue
        backend = backends[index]
        stem = backend.kind
        if stem in taken and backend.version is not None:
            stem = f"{backend.kind}@{backend.version}"
        name, number = stem, 2
        while name in taken:
            name, number = f"{stem}#{number}", number + 1
        final[index] = name
        taken.add(name)
    return [replace(b, name=str(name)) for b, name in zip(backends, final, strict=True)]


def _local(kind: Kind) -> Backend:
    """A backend that needs a C compiler and nothing else."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    return Backend(
        name=kind.name,
        kind=kind.name,
        version="1",
        usable=compiler is not None,
        launcher=None,
        compiler=compiler,
        environment={},
        reason=None if compiler else "no C compiler on PATH",
        remedy=None if compiler else "apt-get install gcc libc6-dev",
        shared_memory=str(kind.transport),
    )
