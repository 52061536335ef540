"""Conducting a campaign: from what was prepared, or interrupted, to a finished run."""

from __future__ import annotations

import contextlib
import time
from dataclasses import asdict, replace
from enum import Enum
from pathlib import Path

from leadline import __version__
from leadline.errors import UsageError
from leadline.hosts.this_host import command_line, inherited_variables
from leadline.measure.budget import few_measured
from leadline.measure.campaign import Campaign, Observer
from leadline.measure.grids import sends_of, windows_of
from leadline.measure.preparation import Interrupted
from leadline.measure.prepared import Prepared, encoded, facts_of, stored_plan
from leadline.measure.resumption import has_damaged_lines
from leadline.measure.system import OPERATING_SYSTEM, System, described
from leadline.measure.transports import chosen
from leadline.record.provenance import Provenance, StudyFacts
from leadline.record.run import Run
from leadline.store import Journal, Stored, finish, finish_ended, load, write_plan


def conduct(
    prepared: Prepared,
    directory: str | Path,
    observer: Observer,
    study: StudyFacts | None = None,
    system: System = OPERATING_SYSTEM,
) -> Run:
    """The run that a campaign makes in `directory`; incomplete where the user interrupted it.

    Args:
        prepared: What is measured.
        directory: New or empty.
        observer: Told how the campaign gets on; closed at its end.
        study: That the run is a stage of.
        system: The machine under the campaign.

    Raises:
        UsageError: The directory holds something already.
        MachineError: The disk is full; what was recorded is kept.
    """
    asked, prepared = prepared, chosen(prepared, system)
    provenance = _provenance(asked, prepared, study)
    with Journal.create(directory, provenance.as_json()) as journal:
        write_plan(directory, encoded(stored_plan(prepared)), journal.id)
        for warning in prepared.first_warnings:
            journal.add_warning(warning)
        campaign = Campaign.begun(prepared, journal, observer, system)
        _measure(campaign, prepared.request.budget_s, 0)
        finish(directory)  # while nobody else can
    return load(directory)


def _provenance(asked: Prepared, prepared: Prepared, study: StudyFacts | None) -> Provenance:
    """What the run says of its origin: what was `asked` for, with what transports chose of it.

    Of the variables that were chosen for a variant it names those that neither the variant nor the
    front-end's environment had.
    """
    plan, inherited = prepared.plan, inherited_variables()
    new_variables = {
        after.name: sorted(after.environment.keys() - before.environment.keys() - inherited.keys())
        for before, after in zip(asked.variants, prepared.variants, strict=True)
    }
    return Provenance(
        leadline=__version__,
        started=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        options=asdict(prepared.request),
        machine=prepared.machine,
        background_load=described(prepared.loaded),
        plan=facts_of(plan),
        command=command_line(),
        inherited=inherited,
        compilers={v.name: v.backend.compiler for v in prepared.variants if v.backend.compiler},
        libraries={v.name: text for v in prepared.variants if (text := v.backend.configuration)},
        windows=windows_of(cell for group in plan.groups for cell in group.cells),
        sends=sends_of((group.ranks, group.cells) for group in plan.groups),
        study=study,
        simulations=tuple(
            replace(on.facts, variant=variant.name, mapping=variant.map or on.facts.mapping)
            for variant in prepared.variants
            if (on := variant.simulated_on)
        ),
        chosen={name: variables for name, variables in new_variables.items() if variables},
    )


def _measure(campaign: Campaign, budget_s: float, first_block: int, whole_blocks: int = 0) -> None:
    """Runs the blocks; journals whether user and hosts let them end, and if they are too few."""
    prepared, order, complete = campaign.prepared, campaign.prepared.request, True
    system = campaign.system
    begin = system.clock.monotonic()
    with contextlib.closing(campaign.observer), system.spinning(prepared.loaded):
        try:
            blocks = whole_blocks + campaign.run(budget_s, first_block, whole_blocks)
            took_s = order.budget_s - budget_s + system.clock.monotonic() - begin
            warning = few_measured(blocks, prepared.plan.limits.needed, order.budget_s, took_s)
            if warning and campaign.can_measure:
                campaign.journal.add_warning(warning)
            complete = not campaign.losses
        except KeyboardInterrupt:
            complete = False
    campaign.journal.end(complete)


class Tables(Enum):
    """What became of the tables of a complete run."""

    WHOLE = "they are as they should be, or it has none"
    WRITTEN = "they were missing or damaged, and are there now"
    LEFT = "likewise, but the journal has lost lines that a damaged table may still have"


def finish_tables(stored: Stored) -> Tables:
    """Writes the tables of a run, complete by its journal, where a kill came before it finished.

    MachineError: the disk is full; UsageError: the campaign is just about to.
    """
    if stored.tables or stored.run.provenance.plan is None:  # imports and simulations have none
        return Tables.WHOLE
    if has_damaged_lines(stored.run):
        return Tables.LEFT
    finish_ended(stored.run.path)
    return Tables.WRITTEN


def resume(interrupted: Interrupted, observer: Observer, system: System = OPERATING_SYSTEM) -> Run:
    """The run after its campaign went on, on `system`; what it had stays as it is.

    Raises:
        UsageError: Another campaign writes to it, or has done so since it was restored.
        RecordError: Its journal lost what it needs to go on.
        MachineError: The disk is full; what was recorded is kept.
    """
    run, prepared = interrupted.run, interrupted.prepared
    with Journal.reopen(run.path) as journal:
        if journal.next_block > interrupted.next_block:
            raise UsageError(
                f"{run.path} went on meanwhile: its journal has block {journal.next_block}, this "
                f"would be block {interrupted.next_block + 1} once more; resume it again"
            )
        for warning in interrupted.untold:
            journal.add_warning(warning)
        campaign = Campaign.begun(prepared, journal, observer, system)
        campaign.recall(run)
        _measure(campaign, interrupted.left_s, interrupted.next_block, interrupted.whole_blocks)
        finish(run.path)
    return load(run.path)
