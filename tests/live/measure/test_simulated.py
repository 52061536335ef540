"""Simulated variants in campaigns: beside measured ones, and when their ranks fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.kernels import FAULTS, variant
from tests.support.campaigns import failure_at_104_bytes, plan_for, run_campaign
from tests.support.simgrid import words_for

from leadline.backends.discovery.smpi import find_smpi
from leadline.hosts.placement import THIS_HOST
from leadline.kernels.build import build_kernel, describe
from leadline.measure.grids import machine_of
from leadline.measure.spec import SimulatedLaunch, SimulatedMachine, Variant
from leadline.record.provenance import SimulationFacts


def simulated(folder: Path, name: str = "smpi", fault: str = "") -> Variant:
    """Two ranks at a switch, of which one misbehaves as `fault` says."""
    backend, words = find_smpi(), words_for(2, folder)
    kernel = build_kernel(backend, FAULTS)
    around = {"LEADLINE_FAULT": fault}
    machine = machine_of(THIS_HOST, 2)
    launch = SimulatedLaunch((*words, "--log=root.thres:critical"), around, machine)
    facts = SimulationFacts(name, "switch", "", "default", "", "")
    switch = SimulatedMachine(facts, "switch", {2: launch})
    return Variant(name, backend, str(kernel), describe(kernel), simulated_on=switch)


def test_simulated_variant_has_one_launch_and_one_visit_a_block(tmp_path: Path) -> None:
    variants = [variant("shm"), simulated(tmp_path)]
    run, watching = run_campaign(
        tmp_path / "run", variants, plan_for(variants, "pingpong", (8, 104), 3)
    )
    assert run.failures == ()
    assert watching.slices.count("smpi") == 3 * 2
    number = [one.variant for one in run.configurations].index("smpi")
    of_smpi = run.batches.configuration == number
    assert len(set(run.batches.launch[of_smpi].tolist())) == 3


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        ("starve", "hang", "deadlock"),
        ("crash", "crash", "Segmentation fault"),
        ("wrong_byte", "wrong_byte", "offset 5"),
    ],
)
def test_failure_of_a_simulated_rank_is_its_cells(
    fault: str, code: str, words: str, tmp_path: Path
) -> None:
    bad = simulated(tmp_path, "bad", f"{fault}:1:104")
    failure = failure_at_104_bytes(tmp_path / "run", variant("shm"), bad)
    assert failure.code == code
    assert words in failure.message
