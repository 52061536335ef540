"""PVM: the contract under every setting, the daemon's life, and what goes wrong with either."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest
from harness.contracts import contract
from harness.kernels import variant
from harness.patience import PATIENCE_S, patience_for
from harness.scripts import EVERY_MODE, EVERY_PATTERN, SLICE, ids, results
from syrupy.assertion import SnapshotAssertion
from tests.support.campaigns import Silent, failure_at_104_bytes, plan_for, run_campaign, seen
from tests.support.processes import running, variable
from tests.support.texts import lines_from, numbers
from tests.support.virtual_machine import (
    Machine,
    commands,
    family_in,
    installed,
    kernel,
    pvm_variant,
)

from leadline.kernels.build import describe
from leadline.kernels.messages import read_records
from leadline.processes import run
from leadline.record.run import Cell

pytestmark = pytest.mark.long

EVERY_SETTING = [
    (),
    ("raw", "direct"),
    ("inplace", "spawn"),
    ("direct", "spawn"),
    ("inplace",),
    ("doubles",),
]
RANKS_BY_SETTING = (
    ((), 1),
    (("inplace", "spawn"), 1),
    *((words, 2) for words in EVERY_SETTING),
    (("direct", "spawn"), 4),
)
"""Each setting once; a rank that is alone, or has none to spawn; more ranks than cores."""


@pytest.mark.parametrize(
    ("words", "ranks"),
    RANKS_BY_SETTING,
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
@pytest.mark.parametrize("checks", ["contract", "requests", "modes"])
def test_pvm_keeps_the_contract(checks: str, words: tuple[str, ...], ranks: int) -> None:
    with Machine(contract(checks, installed()), ranks, words) as machine:
        output, errors = machine.said_by(0)
        assert "PVM 3.4" in output, errors
        assert numbers(output)[1] == str(ranks), errors
        assert not any(machine.wait())


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_collectives_over_pvm_leave_every_block_where_it_belongs(ranks: int) -> None:
    with Machine(contract("collectives", installed()), ranks) as machine:
        assert not any(machine.wait()), machine.said_by(0)


@pytest.mark.parametrize("words", EVERY_SETTING, ids=" ".join)
def test_packed_message_is_unpacked_as_often_as_one_likes(words: tuple[str, ...]) -> None:
    with Machine(contract("packing", installed()), 2, words) as machine:
        assert not any(machine.wait()), machine.said_by(1)


@pytest.mark.parametrize("words", [(), ("raw", "direct"), ("inplace", "doubles")], ids=" ".join)
@pytest.mark.parametrize("checks", ["contract", "collectives", "packing"])
def test_sanitisers_find_nothing_but_what_libpvm_never_frees(
    checks: str, words: tuple[str, ...]
) -> None:
    program, lenient = (
        contract(checks, installed(), sanitised=True),
        {"ASAN_OPTIONS": "detect_leaks=0"},
    )
    with Machine(program, 3, words, environment=lenient) as machine:
        assert not any(machine.wait()), machine.said_by(0)


PACKING = tuple(
    f"id={1000 + number} pattern={words} cadence=streaming"
    for number, words in enumerate(
        (
            "pack size=0",
            "pack size=100000 buffers=cold cold_bytes=1000000",
            "unpack size=0",
            "unpack size=100000 buffers=cold cold_bytes=1000000",
            "pingpong_packed size=9",
            "pingpong_packed size=100000 buffers=cold cold_bytes=1000000",
        ),
        start=1,
    )
)
MODES = ("nonblocking", "anysource", "stream", "message_rate", "unexpected")
"""Words in the names of patterns that need more than sends and receives, and that PVM has."""


@pytest.mark.parametrize(
    "words", [(), ("raw", "direct"), ("inplace", "spawn"), ("doubles",)], ids=" ".join
)
def test_every_pattern_is_measured_over_pvm(words: tuple[str, ...], tmp_path: Path) -> None:
    script = tmp_path / "script"
    modes = tuple(line for line in EVERY_MODE if any(word in line for word in MODES))
    if "direct" not in words:  # seconds through daemons
        modes = tuple(line for line in modes if "depth=1024" not in line)
    lines = (*EVERY_PATTERN, *PACKING, *modes, "id=999 pattern=mg class=S")
    script.write_text("".join(f"{line} {SLICE}\n" for line in lines) + "end\n")
    arguments = ("--script", str(script), "--records", str(tmp_path / "records"))
    with Machine(kernel(), 2, words, arguments) as machine:
        assert not any(machine.wait()), machine.said_by(0)
    text = read_records(tmp_path / "records.0")
    assert sorted(results(text)) == ids(lines)


def test_records_name_what_pvm_has_and_what_is_made_of_messages() -> None:
    patterns = describe(kernel()).patterns
    assert {patterns[name].algorithm for name in ("pingpong", "barrier", "bcast")} == {"native"}
    assert {patterns[name].algorithm for name in ("reduce", "gather", "scatter")} == {"native"}
    assert patterns["allreduce"].algorithm == "recursive doubling"
    assert patterns["barrier_counter"].algorithm == "absent"
    assert (patterns["pack"].algorithm, variant("shm").capability.patterns["pack"].algorithm) == (
        "native",
        "absent",
    )


# -- messages --------------------------------------------------------------------------------------


def test_message_longer_than_its_receive_ends_the_job(snapshot: SnapshotAssertion) -> None:
    with Machine(contract("contract", installed()), 2, ("raw",), ("overlong",)) as machine:
        assert 1 in machine.wait()
        output = machine.said_by(1)[1]
    assert lines_from("leadline pvm", output) == snapshot


def test_what_a_spawned_rank_says_comes_out_where_rank_0s_does(snapshot: SnapshotAssertion) -> None:
    with Machine(contract("contract", installed()), 2, ("raw", "spawn"), ("overlong",)) as machine:
        assert len(machine.running) == 2
        line = machine.hears(0)
    assert line == snapshot


# -- the daemon ------------------------------------------------------------------------------------


def test_machines_run_side_by_side_and_beside_the_users_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Machine(contract("contract", installed()), 1, arguments=("wait",)) as own:
        monkeypatch.setenv("PVM_TMP", own.folder.name)
        with (
            Machine(contract("contract", installed()), 2) as first,
            Machine(contract("contract", installed()), 2) as second,
        ):
            assert not any(first.wait() + second.wait())
        assert own.daemon.poll() is None


def test_machine_starts_where_a_killed_daemon_left_its_address() -> None:
    with Machine(contract("contract", installed()), 1, arguments=("wait",)) as killed:
        address = Path(killed.folder.name) / f"pvmd.{os.getuid()}"
        deadline = time.monotonic() + PATIENCE_S
        # a rank that still looks for its daemon would find the next one
        while "pvmgs" not in family_in(killed.folder.name).values():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        killed.daemon.kill()
        killed.daemon.wait()
        left = address.read_text()
        with Machine(contract("contract", installed()), 2, folder=killed.folder) as machine:
            assert not any(machine.wait()), machine.said_by(0)
    assert left.startswith(killed.folder.name)


def test_variables_of_a_user_in_a_machine_of_his_own_lead_nowhere() -> None:
    environment = {"PVM_VMID": "mine", "PVMSOCK": "/tmp/nowhere"}
    with Machine(contract("contract", installed()), 2, environment=environment) as machine:
        assert not any(machine.wait()), machine.said_by(0)


def test_daemon_that_is_killed_is_named_and_the_campaign_goes_on(tmp_path: Path) -> None:
    variants = [pvm_variant("good"), pvm_variant("bad", "wrong_byte:9:0")]
    plan = plan_for(variants, "pingpong", (8, 104), 1)
    plan = replace(plan, groups=(replace(plan.groups[0], launches=1),))
    watching = DaemonKiller("bad", variants[1].kernel)
    run, _ = run_campaign(tmp_path / "run", variants, plan, watching=watching)
    (failure,) = run.failures
    assert run.configurations[failure.configuration].variant == "bad"
    assert failure.code == "crash"
    ended, _, output = failure.message.partition("\n")
    assert "pvmd" in ended
    assert "SIGKILL" in ended
    assert "(pvmd)" in output
    assert len(seen(run)) == 3
    assert running(variants[1].kernel) == []


class DaemonKiller(Silent):
    """Kills the daemons that ranks of `kernel` talk to, once `victim` has measured something."""

    def __init__(self, victim: str, kernel: str) -> None:
        super().__init__()
        self.victim, self.kernel = victim, kernel

    def slice_done(self, variant: str, cell: Cell) -> None:
        if variant == self.victim and variant not in self.slices:
            folders = {variable(rank, "PVM_TMP") for rank in running(self.kernel)}
            for pid in running(os.path.realpath(str(installed().launcher))):
                if variable(pid, "PVM_TMP") in folders:
                    os.kill(pid, signal.SIGKILL)
        super().slice_done(variant, cell)


def test_group_server_that_is_not_found_is_named_with_the_remedy(
    snapshot: SnapshotAssertion,
) -> None:
    environment = {"PVM_PATH": "/nonexistent"}
    with Machine(contract("contract", installed()), 1, environment=environment) as machine:
        assert 1 in machine.wait()
        output = machine.said_by(0)[1]
    assert lines_from("leadline pvm", output) == snapshot


def test_daemon_that_does_not_start_fails_its_launch_at_once(tmp_path: Path) -> None:
    good = pvm_variant("good")
    refused = replace(good.backend, launcher="/bin/false")
    plan = plan_for([good], "barrier", (0,), 1)
    run, _ = run_campaign(tmp_path / "run", [replace(good, backend=refused)], plan)
    assert {f.code for f in run.failures} == {"launch"}
    (failure, *_) = run.failures
    assert "pvmd" in failure.message
    assert numbers(failure.message)[0] == "1"


def test_daemon_does_not_start_where_its_starter_is_gone(tmp_path: Path) -> None:
    daemon = commands("spawn", folder=str(tmp_path))[0]
    gone = [word if word != str(os.getpid()) else "1" for word in daemon.argv]
    assert gone != list(daemon.argv)
    ending = run(gone, PATIENCE_S, daemon.environment)
    assert (ending.status, ending.output) == (1, "")


def test_killed_front_end_leaves_neither_daemon_nor_task(tmp_path: Path) -> None:
    words = ["run", "--backends", "pvm", "--patterns", "pingpong", "--sizes", "8", "--blocks", "99"]
    with tempfile.TemporaryDirectory(prefix="leadline-vm-") as place:
        front_end = subprocess.Popen(
            [sys.executable, "-m", "leadline", *words, "--out", str(tmp_path / "run")],
            env=os.environ | {"TMPDIR": place},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while not {"pvmd", "pvmgs", "kernel"} <= set(family_in(place).values()):
            assert front_end.poll() is None
            time.sleep(0.01)
        front_end.kill()
        front_end.wait()
        deadline = time.monotonic() + PATIENCE_S
        while left := list(family_in(place).values()):
            assert time.monotonic() < deadline, left
            time.sleep(0.01)


# -- ranks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "arguments", "code", "words"),
    [
        ("crash:1:104", (), "crash", ("rank 1 ", "SIGSEGV")),
        ("exit:1:104", ("direct",), "exit", ("rank 1 ", " 7")),
        ("exit:1:104", ("spawn",), "exit", ("rank 1 ",)),
        ("hang:1:104", ("spawn",), "hang", ("rank 1: validating",)),
        ("wrong_byte:1:104", (), "wrong_byte", ("rank 1", "offset 5")),
    ],
)
def test_task_that_misbehaves_is_named_and_its_cell_alone_fails(
    fault: str, arguments: tuple[str, ...], code: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    good, bad = pvm_variant("good"), pvm_variant("bad", fault, arguments)
    failure = failure_at_104_bytes(tmp_path / "run", good, bad, patience_for(code))
    assert failure.code == code
    assert all(word in failure.message for word in words), failure.message
    assert running(bad.kernel) == []


@pytest.mark.parametrize(
    "missing", ["LEADLINE_RANK", "LEADLINE_RANKS", "LEADLINE_PVM_ROUTE", "PVM_TMP"]
)
def test_rank_that_leadline_did_not_start_says_so(
    missing: str, snapshot: SnapshotAssertion
) -> None:
    environment = dict(commands()[1].environment)
    del environment[missing]
    done = subprocess.run(
        [str(contract("contract", installed()))],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == snapshot
