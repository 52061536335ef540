"""The machines that a run's simulated ranks are on: named on its command line, made for smpirun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from leadline.backends.kinds import KINDS
from leadline.cli.parsing.simulated import library_of
from leadline.errors import UsageError
from leadline.hosts.cleanup.notes import noted_folder
from leadline.measure.spec import Order, SimulatedLaunch, SimulatedMachine, VariantSpec
from leadline.measure.system import SCRATCH
from leadline.record.provenance import SimulationFacts
from leadline.simulate.machine import MachineModel
from leadline.simulate.machine_files import machine_named
from leadline.simulate.smpi.launch import SmpiLaunch, algorithms, smpi_launch


def on_machine(order: Order, machine: str | None, library: str | None) -> Order:
    """`order` with its simulated variants on `machine`, unless they name one; None: not given.

    UsageError where nothing of it is simulated.
    """
    if machine is None and library is None:
        return order
    option = "--machine" if machine is not None else "--library"
    if not any(map(_simulates, (*order.backends, *(one.backend for one in order.variants)))):
        raise UsageError(
            f"{option} is for what simulates a machine, and nothing of this run does; add "
            "--backends smpi, or leave it out"
        )
    plain = [name for name in order.backends if not _simulates(name)]
    named = [VariantSpec(name, name) for name in order.backends if _simulates(name)]
    variants = [_on(one, machine or "", library or "") for one in (*named, *order.variants)]
    return replace(order, backends=tuple(plain), variants=tuple(variants))


def _simulates(backend: str) -> bool:
    return backend in KINDS and KINDS[backend].simulated


def _on(spec: VariantSpec, machine: str, library: str) -> VariantSpec:
    if not _simulates(spec.backend):
        return spec
    own = not spec.machine  # whose library is another one's
    return replace(
        spec,
        machine=spec.machine or machine,
        library=spec.library or (library if own else ""),
    )


@contextmanager
def simulated_machines(order: Order) -> Iterator[dict[str, SimulatedMachine]]:
    """A context: the machine of each simulated variant of `order`, by its name.

    What smpirun reads of them is there until it is left.

    Raises:
        UsageError: A machine or library isn't known, or the machine is too small.
        MachineError: SimGrid is missing, or of a version that wasn't tested.
    """
    wanted = [one for one in order.variants if _simulates(one.backend) and one.machine]
    with noted_folder(SCRATCH) as folder:
        places = [folder / str(number) for number in range(len(wanted))]
        yield {
            spec.name: _made(spec, order.ranks, place)
            for spec, place in zip(wanted, places, strict=True)
        }


def _made(spec: VariantSpec, numbers: Sequence[int], folder: Path) -> SimulatedMachine:
    machine = machine_named(spec.machine)
    library = library_of(machine, spec.library or None)
    facts = SimulationFacts(spec.name, machine.name, library, "default", "", machine.text)
    made = {ranks: _launch(machine, library, ranks, folder / str(ranks)) for ranks in numbers}
    launches = {
        ranks: SimulatedLaunch(one.options, one.environment, machine.allocate(ranks).machine)
        for ranks, one in made.items()
    }
    lacks = dict.fromkeys(lack for one in made.values() for lack in one.left_out)
    own = algorithms(machine.profiles[library])
    return SimulatedMachine(facts, machine.network, launches, own, tuple(lacks))


def _launch(machine: MachineModel, library: str, ranks: int, folder: Path) -> SmpiLaunch:
    folder.mkdir(parents=True)
    return smpi_launch(machine, machine.profiles[library], ranks, folder)
