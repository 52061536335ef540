"""PVM: the contract under every setting, the daemon's life, and what goes wrong with either."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from kernels import FAULTS, variant
from leadline.backend import Backend
from leadline.build import OWN_LIBRARIES, SOURCES, Additions, build_kernel, describe
from leadline.campaign import Campaign
from leadline.control import read_records
from leadline.discovery.pvm import find_pvm
from leadline.errors import MachineError, UsageError
from leadline.launchers import Command, Job, launcher_for
from leadline.launchers.pvm import route_of, settings
from leadline.record import Cell
from leadline.setting import Setting, Variant
from leadline.store import Journal, load
from test_campaign import Silent, plan_for, run_campaign, seen
from test_kernel import EVERY_PATTERN, SLICE, results
from test_transport import PATIENCE_S, link

RANKS = 2
EVERY_SETTING = [
    (),
    ("raw", "direct"),
    ("inplace", "spawn"),
    ("direct", "spawn"),
    ("inplace",),
    ("doubles",),
]


@functools.cache
def installed() -> Backend:
    """PVM as this machine has it (tests/packages)."""
    found = find_pvm()
    assert found.usable, found.reason
    return found


@functools.cache
def kernel(additions: Additions | None = None) -> Path:
    """The kernel over pvm."""
    return build_kernel(installed(), additions)


def pvm_variant(name: str, fault: str | None = None, words: tuple[str, ...] = ()) -> Variant:
    """A variant over pvm; `fault` is what LEADLINE_FAULT says in its ranks."""
    built = kernel(FAULTS if fault else None)
    environment = dict(installed().environment) | ({"LEADLINE_FAULT": fault} if fault else {})
    return Variant(name, installed(), str(built), describe(built), environment, words)


def commands(*words: str, folder: str = "/tmp") -> list[Command]:
    """What is started for two ranks."""
    return launcher_for(installed()).commands(Job("/k", (), RANKS, 2, {}, words, folder))


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="leadline-pvm-") as made:
        yield Path(made)


@functools.cache
def contract(into: Path, checks: str = "contract") -> Path:
    """The program `checks` over pvm."""
    sources = [SOURCES / "tests" / f"{checks}.c", SOURCES / "backends" / "pvm.c"]
    sources += sorted((SOURCES / "backends" / "pvm").glob("*.c"))
    done = link(sources, into / checks, libraries=OWN_LIBRARIES["pvm"])
    assert done.returncode == 0, done.stderr
    return into / checks


@dataclass
class Machine:
    """A daemon and the ranks of `program`; leaving it ends them."""

    program: Path
    ranks: int
    words: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    running: list[subprocess.Popen[str]] = field(default_factory=list)
    folder: tempfile.TemporaryDirectory[str] = field(
        default_factory=lambda: tempfile.TemporaryDirectory(prefix="leadline-vm-")
    )

    def __enter__(self) -> Machine:
        job = Job(
            str(self.program), self.arguments, self.ranks, 2, self.environment, self.words,
            self.folder.name,
        )  # fmt: skip
        for command in launcher_for(installed()).commands(job):
            self.running.append(
                subprocess.Popen(
                    command.argv,
                    env=dict(command.environment) | {"PATH": "/usr/bin:/bin"},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
        return self

    @property
    def daemon(self) -> subprocess.Popen[str]:
        return self.running[0]

    def wait(self) -> list[int]:
        """The exit statuses, daemon first, once all ended or one badly; -1 for what runs on."""
        deadline = time.monotonic() + PATIENCE_S
        statuses = [process.poll() for process in self.running]
        while None in statuses and not any(statuses):
            assert time.monotonic() < deadline, "the machine hangs"
            time.sleep(0.005)
            statuses = [process.poll() for process in self.running]
        return [-1 if status is None else status for status in statuses]

    def said_by(self, rank: int) -> tuple[str, str]:
        """What `rank` printed, once it has ended."""
        return self.running[1 + rank].communicate(timeout=PATIENCE_S)

    def hears(self, rank: int) -> str:
        """The next line that comes out where `rank` complains."""
        stderr = self.running[1 + rank].stderr
        assert stderr is not None
        return stderr.readline()

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.running):
            process.terminate()
        for process in self.running:
            process.communicate(timeout=PATIENCE_S)
        self.folder.cleanup()


@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize("words", EVERY_SETTING, ids=" ".join)
def test_pvm_keeps_the_contract(words: tuple[str, ...], ranks: int, folder: Path) -> None:
    with Machine(contract(folder), ranks, words) as machine:
        said, errors = machine.said_by(0)
        assert f"facts hold over {ranks} ranks of PVM 3.4" in said, errors
        assert not any(machine.wait())


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_collectives_over_pvm_leave_every_block_where_it_belongs(ranks: int, folder: Path) -> None:
    with Machine(contract(folder, "collectives"), ranks) as machine:
        assert not any(machine.wait()), machine.said_by(0)


PACKING = tuple(
    f"id={len(EVERY_PATTERN) + number} pattern={words} cadence=streaming"
    for number, words in enumerate(
        (
            "pack size=0",
            "pack size=100000 buffers=cold cold_bytes=1000000",
            "pingpong_packed size=9",
            "pingpong_packed size=100000 buffers=cold cold_bytes=1000000",
        ),
        start=1,
    )
)


@pytest.mark.parametrize(
    "words", [(), ("raw", "direct"), ("inplace", "spawn"), ("doubles",)], ids=" ".join
)
def test_every_pattern_is_measured_over_pvm(
    words: tuple[str, ...], folder: Path, tmp_path: Path
) -> None:
    script = tmp_path / "script"
    lines = EVERY_PATTERN + PACKING
    script.write_text("".join(f"{line} {SLICE}\n" for line in lines) + "end\n")
    arguments = ("--script", str(script), "--records", str(tmp_path / "records"))
    with Machine(kernel(), 2, words, arguments) as machine:
        assert not any(machine.wait()), machine.said_by(0)
    said = read_records(tmp_path / "records.0")
    assert sorted(results(said)) == list(range(1, len(lines) + 1))


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


# -- messages -----------------------------------------------------------------------------------


def test_message_longer_than_its_receive_ends_the_job(folder: Path) -> None:
    with Machine(contract(folder), 2, ("raw",), ("overlong",)) as machine:
        assert 1 in machine.wait()
        said = machine.said_by(1)[1]
    assert "a message of rank 0 doesn't fit its receive" in said
    assert "at most 99 bytes, seen tag 7 and 100 bytes" in said


def test_what_a_spawned_rank_says_comes_out_where_rank_0s_does(folder: Path) -> None:
    with Machine(contract(folder), 2, ("raw", "spawn"), ("overlong",)) as machine:
        assert len(machine.running) == 2
        line = machine.hears(0)
    assert line.startswith("leadline pvm, rank 1: a message of rank 0 doesn't fit its receive")


# -- the daemon ---------------------------------------------------------------------------------


def test_machines_run_side_by_side_and_beside_the_users_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Machine(contract(folder), 1, arguments=("wait",)) as own:
        monkeypatch.setenv("PVM_TMP", own.folder.name)
        with Machine(contract(folder), 2) as first, Machine(contract(folder), 2) as second:
            assert not any(first.wait() + second.wait())
        assert own.daemon.poll() is None


def test_variables_of_a_user_in_a_machine_of_his_own_lead_nowhere(folder: Path) -> None:
    environment = {"PVM_VMID": "mine", "PVMSOCK": "/tmp/nowhere"}
    with Machine(contract(folder), 2, environment=environment) as machine:
        assert not any(machine.wait()), machine.said_by(0)


@pytest.mark.parametrize("left", ["pvmd.0", "pvmd.1000.mine"])
def test_folder_with_another_daemons_address_is_refused(left: str) -> None:
    with tempfile.TemporaryDirectory(prefix="leadline-vm-") as place:
        (Path(place) / left).write_text("/tmp/nowhere")
        with pytest.raises(MachineError, match=f"{left} is there already.*or remove the file"):
            commands(folder=place)


def test_folder_too_long_for_a_socket_is_refused_before_pvm_overflows() -> None:
    with pytest.raises(MachineError, match=r"100 bytes long.*room for 89; set TMPDIR"):
        commands(folder="/tmp/" + 95 * "x")


def test_daemon_that_is_killed_is_named_and_the_campaign_goes_on(tmp_path: Path) -> None:
    variants = [pvm_variant("good"), pvm_variant("bad", "wrong_byte:9:0")]
    plan = plan_for(variants, "pingpong", (8, 104), 1)
    plan = replace(plan, groups=(replace(plan.groups[0], launches=1),))
    setting = Setting(variants, plan, cores=(0, 1))
    with Journal.create(tmp_path / "run", {"plan": {"blocks": 1}}) as journal:
        Campaign(setting, journal, DaemonKiller("bad", variants[1].kernel)).run(0.0, 0, 1)
        journal.close(True)
    run = load(tmp_path / "run")
    (failure,) = run.failures
    assert run.configurations[failure.configuration].variant == "bad"
    assert "B: pvmd was ended by SIGKILL" in failure.message
    assert "the daemon (pvmd) of this virtual machine is gone" in failure.message
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


def test_group_server_that_is_not_found_is_named_with_the_remedy(folder: Path) -> None:
    environment = {"PVM_PATH": "/nonexistent"}
    with Machine(contract(folder), 1, environment=environment) as machine:
        assert 1 in machine.wait()
        said = machine.said_by(0)[1]
    assert "PVM's group server, pvmgs, didn't come up" in said
    assert "PVM_PATH (ep= in a hostfile)? That is /nonexistent" in said


def test_daemon_that_does_not_start_fails_its_launch_at_once(tmp_path: Path) -> None:
    good = pvm_variant("good")
    refused = replace(good.backend, launcher="/bin/false")
    plan = plan_for([good], "barrier", (0,), 1)
    run, _ = run_campaign(tmp_path / "run", [replace(good, backend=refused)], plan)
    assert {f.code for f in run.failures} == {"launch"}
    assert "its pvmd ended before all ranks were ready (exit status 1)" in run.failures[0].message


def test_killed_front_end_leaves_neither_daemon_nor_task(tmp_path: Path) -> None:
    words = ["run", "--backends", "pvm", "--patterns", "pingpong", "--sizes", "8", "--blocks", "99"]
    with tempfile.TemporaryDirectory(prefix="leadline-vm-") as place:
        front_end = subprocess.Popen(
            [sys.executable, "-m", "leadline", *words, "--out", str(tmp_path / "run")],
            env=os.environ | {"TMPDIR": place},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while len(family := family_in(place)) < 2 + RANKS:
            assert front_end.poll() is None
            time.sleep(0.01)
        front_end.kill()
        front_end.wait()
        deadline = time.monotonic() + PATIENCE_S
        while left := list(family_in(place).values()):
            assert time.monotonic() < deadline, left
            time.sleep(0.01)
    assert set(family.values()) >= {"pvmd", "pvmgs", "kernel"}


def family_in(place: str) -> dict[int, str]:
    """Process and name of all whose PVM_TMP is below `place`."""
    pids = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    mine = [pid for pid in pids if variable(pid, "PVM_TMP").startswith(place)]
    return {pid: Path(executable(pid)).name for pid in mine if executable(pid)}


def running(program: str) -> list[int]:
    """The processes of the executable `program`."""
    pids = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return [pid for pid in pids if executable(pid) == program]


def executable(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/exe").readlink())
    except OSError:
        return ""


def variable(pid: int, name: str) -> str:
    """The variable `name` that process `pid` was started with; empty without one."""
    try:
        words = Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return ""
    return next((w.partition("=")[2] for w in words if w.startswith(f"{name}=")), "")


# -- ranks and words ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "arguments", "code", "words"),
    [
        ("crash:1:104", (), "crash", ("rank 1 was ended by SIGSEGV",)),
        ("exit:1:104", ("direct",), "exit", ("rank 1 exited", "status 7")),
        ("exit:1:104", ("spawn",), "exit", ("rank 1 left the launch",)),
        ("hang:1:104", ("spawn",), "hang", ("rank 1: validating",)),
        ("wrong_byte:1:104", (), "wrong_byte", ("rank 1", "offset 5")),
    ],
)
def test_task_that_misbehaves_is_named_and_its_cell_alone_fails(
    fault: str, arguments: tuple[str, ...], code: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    variants = [pvm_variant("good"), pvm_variant("bad", fault, arguments)]
    plan = plan_for(variants, "pingpong", (8, 104), 1)
    run, _ = run_campaign(tmp_path / "run", variants, plan, patience_s=2.0)
    (failure,) = run.failures
    assert run.configurations[failure.configuration].variant == "bad"
    assert failure.cell is not None
    assert run.cells[failure.cell].size_bytes == 104
    assert failure.code == code
    assert all(word in failure.message for word in words), failure.message
    assert running(variants[1].kernel) == []


def test_words_become_the_kernels_variables_and_name_the_transport() -> None:
    assert settings(()) == {
        "LEADLINE_PVM_ENCODING": "default",
        "LEADLINE_PVM_ELEMENTS": "bytes",
        "LEADLINE_PVM_ROUTE": "daemon",
        "LEADLINE_PVM_START": "spmd",
    }
    chosen = settings(("inplace", "direct", "spawn"))
    assert sorted(chosen.values()) == ["bytes", "direct", "inplace", "spawn"]
    assert set(settings(("raw", "doubles")).values()) == {"raw", "doubles", "daemon", "spmd"}
    assert (route_of(()), route_of(("direct",))) == ("pvmd", "unix socket")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("inplaced",), "unknown PVM setting 'inplaced'; did you mean 'inplace'?"),
        (("raw", "inplace"), "pvm: arg:raw and arg:inplace exclude each other"),
    ],
)
def test_words_that_make_no_sense_are_refused(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError) as refusal:
        settings(words)
    assert str(refusal.value) == message


def test_spawning_launch_starts_the_daemon_and_rank_0_alone() -> None:
    assert [command.role for command in commands()] == ["pvmd", "rank 0", "rank 1"]
    assert [command.role for command in commands("spawn")] == ["pvmd", "rank 0"]


@pytest.mark.parametrize("missing", ["LEADLINE_RANK", "LEADLINE_RANKS", "PVM_TMP"])
def test_rank_that_leadline_did_not_start_says_so(missing: str, folder: Path) -> None:
    environment = dict(commands()[1].environment)
    del environment[missing]
    done = subprocess.run(
        [str(contract(folder))], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert f"not started by leadline: {missing} is missing" in done.stderr
