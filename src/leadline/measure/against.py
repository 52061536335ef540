"""What a run measured, to be measured again by its libraries as they were and as they are now.

Two runs on two days differ by their days as well. One run that has both versions in it, alive
together, doesn't: each library of the old run becomes two variants, compared block by block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from leadline.backends.backend import Backend
from leadline.backends.kinds import INSTALLABLE, is_raw
from leadline.errors import UsageError
from leadline.measure.order import Order
from leadline.measure.stored import order_in
from leadline.measure.variants import VariantSpec, name_from
from leadline.record.run import Configuration, Run


@dataclass(frozen=True, slots=True)
class Succession:
    """A library then and now, under the names of their variants."""

    before: VariantSpec
    after: VariantSpec


def order_of_run(run: Run) -> Order:
    """What `run` was asked to measure; UsageError where that isn't known."""
    try:
        return order_in(run.provenance.options)
    except ValueError as problem:
        raise UsageError(
            f"{run.path} doesn't say what it was asked for ({problem}), as imported runs and those "
            "of older versions don't; measure both versions by --backends and name the old one to "
            "leadline compare as --baseline"
        ) from None


def successions(
    run: Run, order: Order, backends: Sequence[Backend], successors: Sequence[Backend]
) -> tuple[Succession, ...]:
    """Each library of `run` as it was and as it is now, its settings the same.

    Args:
        run: The old run.
        order: What it was asked for.
        backends: All that this machine has.
        successors: Those that may be new; none: what goes by the plain name of a kind now.

    Raises:
        UsageError: A library that was measured isn't on this machine any more, nothing is new, or
            the run measured no library.
    """
    measured = {one.variant: one for one in run.configurations if not is_raw(one.backend)}
    specs = [spec for spec in order.variants if spec.name in measured]
    found = []
    for spec in specs:
        configuration = measured[spec.name]
        old = _as_it_was(run, configuration, backends)
        new = _as_it_is(old, backends, successors)
        if new is not None:
            found.append(_named(spec, old, new))
    if not found:
        versions = ", ".join(f"{one.variant} {one.version}" for one in measured.values())
        raise UsageError(
            f"nothing is newer here than what {run.path} measured ({versions or 'no library'}); "
            "install the new version, or name it: --backends NAME or --backends /new/bin/mpicc"
        )
    return tuple(found)


def _kind(backend: str) -> str:
    """Of a backend by its name: mpich of mpich@4.3.2 and of mpich#2."""
    return backend.partition("@")[0].partition("#")[0]


def _as_it_was(run: Run, measured: Configuration, backends: Sequence[Backend]) -> Backend:
    """The usable backend of the version that was measured, if it can be the compiler it was."""
    kind, wanted = _kind(measured.backend), run.provenance.compilers.get(measured.variant)
    alike = [
        one
        for one in backends
        if one.usable and one.kind == kind and one.version == measured.version
    ]
    if alike:
        return next((one for one in alike if one.compiler == wanted), alike[0])
    here = ", ".join(f"{one.name} {one.version}" for one in backends if one.kind == kind)
    at = f" ({wanted})" if wanted else ""
    get = f"leadline get {kind}=={measured.version}, or " if kind in INSTALLABLE else ""
    raise UsageError(
        f"{run.path} measured {kind} {measured.version}{at}, which isn't on this machine any more "
        f"(there is: {here or f'no {kind}'}); put it beside the new one: {get}name its compiler "
        f"wrapper by --mpicc. Else measure the new version alone and leadline compare the two runs"
    )


def _as_it_is(
    old: Backend, backends: Sequence[Backend], successors: Sequence[Backend]
) -> Backend | None:
    """What came in the place of `old`; None: nothing did."""
    others = [one for one in successors or backends if one.usable and one.kind == old.kind]
    plain = [one for one in others if successors or one.name == old.kind]
    return next((one for one in plain if one.compiler != old.compiler), None)


def _named(spec: VariantSpec, old: Backend, new: Backend) -> Succession:
    """Both under the variant's name and their versions; "old" and "new" where these are equal."""
    stem = spec.name.partition("@")[0]
    words = [name_from(str(one.version)) for one in (old, new)]
    if words[0] == words[1]:
        words = ["old", "new"]
    before, after = (
        replace(spec, name=f"{stem}@{word}", backend=backend.name)
        for word, backend in zip(words, (old, new), strict=True)
    )
    return Succession(before, after)


def order_against(order: Order, found: Sequence[Succession]) -> Order:
    """`order` over the libraries in `found`, then and now."""
    return replace(order, backends=(), variants=tuple(_both(found)))


def _both(found: Sequence[Succession]) -> Iterator[VariantSpec]:
    for one in found:
        yield from (one.before, one.after)
