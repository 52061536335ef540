"""Measuring a finished run again, by its libraries as they were and as they are now.

Two runs on two days differ by their days as well. One run that has both versions in it, alive
together, doesn't: each library of the old run becomes two variants, compared block by block.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from leadline.backends.backend import Backend
from leadline.backends.kinds import INSTALLABLE, KINDS, is_raw
from leadline.errors import UsageError
from leadline.measure.prepared import request_in
from leadline.measure.spec import Request, VariantSpec, name_from
from leadline.record.fields import FormatError
from leadline.record.run import Configuration, Run


@dataclass(frozen=True, slots=True)
class Succession:
    """A library then and now, under the names of their variants."""

    before: VariantSpec
    after: VariantSpec


@dataclass(frozen=True, slots=True)
class Libraries:
    """The libraries of this machine, and which of them the user named."""

    every: Sequence[Backend]
    successors: Sequence[Backend] = ()
    """Libraries that may be new; none: the one that has the plain name of a kind now."""
    stand_ins: Sequence[Backend] = ()
    """Libraries that may stand in for old ones which are gone, if their versions are equal."""
    recorded: Mapping[str, Backend] = field(default_factory=dict)
    """What is now behind each compiler wrapper that the old run recorded, and that works still."""


def request_of_run(run: Run) -> Request:
    """What `run` was asked to measure; UsageError where that isn't known."""
    try:
        return request_in(run.provenance.options)
    except FormatError as problem:
        raise UsageError(
            f"{run.path} doesn't say what it was asked for ({problem}), as imported runs and those "
            "of older versions don't; measure both versions by --backends and name the old one to "
            "leadline compare as --baseline"
        ) from None


def compilers_of_run(run: Run) -> tuple[str, ...]:
    """The compiler wrapper of each library that `run` measured, where it is recorded."""
    recorded = []
    for configuration in run.configurations:
        kind = KINDS.get(_kind(configuration.backend))  # None: named by the configuration file
        compiled_by_wrapper = kind is None or kind.standard is not None
        if compiled_by_wrapper and (path := _compiler_of(run, configuration)):
            recorded.append(path)
    return tuple(dict.fromkeys(recorded))


def _compiler_of(run: Run, measured: Configuration) -> str | None:
    """The compiler wrapper's path that is recorded; None where there is none, or no string."""
    path: object = run.provenance.compilers.get(measured.variant)
    return path if isinstance(path, str) else None


def successions(run: Run, request: Request, libraries: Libraries) -> tuple[Succession, ...]:
    """Each library of `run`, asked for `request`, as it was and is now, its settings the same.

    Variants have their old name and the version, or "old" and "new" where versions are equal.

    Raises:
        UsageError: A library that was measured isn't on this machine any more, nothing is new, or
            the run measured no library.
    """
    measured = {one.variant: one for one in run.configurations if not is_raw(one.backend)}
    specs = [spec for spec in request.variants if spec.name in measured]
    found = []
    for spec in specs:
        configuration = measured[spec.name]
        old = _as_it_was(run, configuration, libraries)
        others = [
            b for b in libraries.successors or libraries.every if b.usable and b.kind == old.kind
        ]
        plain = [other for other in others if libraries.successors or other.name == old.kind]
        new = next((backend for backend in plain if backend.compiler != old.compiler), None)
        if new is None:
            continue
        words = [name_from(str(backend.version)) for backend in (old, new)]
        if words[0] == words[1]:
            words = ["old", "new"]
        stem = spec.name.partition("@")[0]
        before, after = (
            replace(spec, name=f"{stem}@{word}", backend=backend.name)
            for word, backend in zip(words, (old, new), strict=True)
        )
        found.append(Succession(before, after))
    if not found:
        versions = ", ".join(f"{one.variant} {one.version}" for one in measured.values())
        raise UsageError(
            f"nothing is newer here than what {run.path} measured ({versions or 'no library'}); "
            "install the new version, or name it: --backends NAME or --backends /new/bin/mpicc"
        )
    return tuple(found)


def _kind(backend: str) -> str:
    """The kind in a backend's name: mpich in mpich@4.3.2 and in mpich#2."""
    return backend.partition("@")[0].partition("#")[0]


def _as_it_was(run: Run, measured: Configuration, libraries: Libraries) -> Backend:
    """The very build that was measured or, if it is gone, what was named to stand in for it.

    Another build of that version isn't what was measured. Where the run recorded no compiler, as
    older ones didn't, the first build of that version is taken. UsageError where there is none.
    """
    kind, wanted = _kind(measured.backend), _compiler_of(run, measured)
    very = libraries.recorded.get(wanted) if wanted else None
    if very is not None and very.version == measured.version:
        return very
    others = [backend for backend in libraries.stand_ins if backend not in libraries.successors]
    for other in (*others, *(() if wanted else libraries.every)):
        if other.usable and other.kind == kind and other.version == measured.version:
            return other
    present = ", ".join(
        f"{backend.name} {backend.version} ({backend.compiler})"
        if backend.usable
        else f"{backend.name}, {backend.reason}"
        for backend in libraries.every
        if backend.kind == kind and backend.compiler
    )
    at = f" ({wanted})" if wanted else ""
    get = f"leadline get {kind}=={measured.version}, or " if kind in INSTALLABLE else ""
    raise UsageError(
        f"{run.path} measured {kind} {measured.version}{at}, which isn't on this machine any more "
        f"(there is: {present or f'no {kind}'}); put it back beside the new one: {get}build it "
        "again; where it is in another place now, or another build is to stand in for it, name its "
        "compiler wrapper by --mpicc. Else measure the new version alone and leadline compare the "
        "two runs"
    )


def request_against(request: Request, found: Sequence[Succession]) -> Request:
    """`request` over the libraries in `found`, then and now."""
    variants = tuple(spec for succession in found for spec in (succession.before, succession.after))
    return replace(request, backends=(), variants=variants)
