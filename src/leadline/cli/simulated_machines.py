"""Machines of a run's simulated ranks: named on its command line, written down for smpirun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from leadline.backends.kinds import KINDS
from leadline.cli.parsing.simulated import library_of
from leadline.errors import UsageError
from leadline.hosts.cleanup.notes import noted_folder
from leadline.measure.spec import Request, SimulatedLaunch, SimulatedMachine, VariantSpec
from leadline.measure.system import SCRATCH
from leadline.record.provenance import SimulationFacts
from leadline.simulate.machine_files import machine_named
from leadline.simulate.smpi.launch import SmpiLaunch, algorithms, smpi_launch


def on_machine(request: Request, machine: str | None, library: str | None) -> Request:
    """`request` with simulated variants on `machine`, unless they name one; None: no such option.

    UsageError where nothing of it is simulated.
    """
    if machine is None and library is None:
        return request
    option = "--machine" if machine is not None else "--library"
    if not any(
        map(_simulates, (*request.backends, *(variant.backend for variant in request.variants)))
    ):
        raise UsageError(
            f"{option} is for what simulates a machine, and nothing of this run does; add "
            "--backends smpi, or leave it out"
        )
    plain = [name for name in request.backends if not _simulates(name)]
    named = [VariantSpec(name, name) for name in request.backends if _simulates(name)]
    variants = [
        replace(
            spec,
            machine=spec.machine or machine or "",
            # one that names its machine keeps that one's library
            library=spec.library or ("" if spec.machine else library or ""),
        )
        if _simulates(spec.backend)
        else spec
        for spec in (*named, *request.variants)
    ]
    return replace(request, backends=tuple(plain), variants=tuple(variants))


def _simulates(backend: str) -> bool:
    return backend in KINDS and KINDS[backend].simulated


@contextmanager
def simulated_machines(request: Request) -> Iterator[dict[str, SimulatedMachine]]:
    """A context: the machine of each simulated variant of `request`, by the variant's name.

    The files that smpirun reads exist until the context is left.

    Raises:
        UsageError: A machine or library isn't known, or the machine is too small.
        MachineError: SimGrid is missing, or of a version that wasn't tested.
    """
    wanted = [
        variant for variant in request.variants if _simulates(variant.backend) and variant.machine
    ]
    with noted_folder(SCRATCH) as folder:
        yield {
            spec.name: _simulated_machine(spec, request.ranks, folder / str(number))
            for number, spec in enumerate(wanted)
        }


def _simulated_machine(spec: VariantSpec, numbers: Sequence[int], folder: Path) -> SimulatedMachine:
    """The machine that `spec` names, with a launch for each of the `numbers` of ranks."""
    machine = machine_named(spec.machine)
    library = library_of(machine, spec.library or None)
    profile = machine.profiles[library]
    made: dict[int, SmpiLaunch] = {}
    for ranks in numbers:
        place = folder / str(ranks)
        place.mkdir(parents=True)
        made[ranks] = smpi_launch(machine, profile, ranks, place)
    return SimulatedMachine(
        SimulationFacts(spec.name, machine.name, library, "default", "", machine.text),
        machine.network,
        {
            ranks: SimulatedLaunch(
                launch.options, launch.environment, machine.allocate(ranks).machine
            )
            for ranks, launch in made.items()
        },
        algorithms(profile),
        tuple(dict.fromkeys(lack for launch in made.values() for lack in launch.left_out)),
    )
