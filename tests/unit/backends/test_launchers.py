"""What each launcher starts, and what real ranks then see."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from harness.steps import commands_of
from syrupy.assertion import SnapshotAssertion
from tests.support.launcher_commands import REAL, backend, command, step

from leadline.backends.kinds import KINDS, launcher_for
from leadline.backends.kinds.mpi import intel_transport, mpich_transport, openmpi_transport
from leadline.backends.launchers import Command, JobStep
from leadline.errors import UsageError
from leadline.hosts.placement import Hosts

HOSTILE = ("-x", "$(reboot); a b")


# -- commands --------------------------------------------------------------------------------------


def test_mpich_is_told_not_to_bind() -> None:
    assert command("mpich") == Command(
        ("/p/bin/mpiexec", "-genvall", "-bind-to", "none", "-n", "2", "/k/kernel", "--x"),
        {"LEADLINE_JOB": "a b"},
        lingers=True,
    )


def test_intel_mpi_is_told_its_root_and_not_to_pin() -> None:
    assert command("impi") == Command(
        ("/p/bin/mpiexec", "-genvall", "-n", "2", "/k/kernel", "--x"),
        {"I_MPI_ROOT": "/p", "I_MPI_PIN": "0", "LEADLINE_JOB": "a b"},
        lingers=True,
    )


def test_openmpi_is_told_not_to_bind_and_which_variables_to_pass_on() -> None:
    argv = command("openmpi").argv
    assert argv[1:4] == ("--bind-to", "none", "--use-hwthread-cpus")
    assert argv[4:] == ("-x", "LEADLINE_JOB", "-n", "2", "/k/kernel", "--x")


def test_values_of_variables_are_not_on_any_command_line() -> None:
    for kind in REAL:
        assert "a b" not in command(kind).argv


@pytest.mark.parametrize(("user", "allowed"), [(0, True), (1000, False)])
def test_openmpi_is_allowed_to_run_as_root_only_for_root(
    monkeypatch: pytest.MonkeyPatch, user: int, allowed: bool
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    environment = commands_of(backend("openmpi"), step())[0].environment
    assert ("OMPI_ALLOW_RUN_AS_ROOT" in environment) == allowed
    assert ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM" in environment) == allowed


def test_openmpi_oversubscribes_only_when_ranks_exceed_cores_and_by_version() -> None:
    variable = "PRTE_MCA_rmaps_default_mapping_policy"
    enough, four, five = (
        step(2),
        command("openmpi", "4.1.8", step(3)),
        command("openmpi", "5.0", step(3)),
    )
    for version in ("4.1.8", "5.0.11"):
        assert "--oversubscribe" not in command("openmpi", version, enough).argv
        assert variable not in command("openmpi", version, enough).environment
    assert "--oversubscribe" in four.argv
    assert variable not in four.environment
    assert "--oversubscribe" not in five.argv
    assert five.environment[variable] == ":oversubscribe"


@pytest.mark.parametrize("version", ["4.1.8", "5.0.11"])
def test_openmpis_idle_ranks_yield_where_hosts_share_cores_that_it_takes_for_theirs(
    version: str,
) -> None:
    """The first of emulated hosts is told in words what mpiexec's environment is."""
    variable = "OMPI_MCA_mpi_yield_when_idle"
    hosts = Hosts(("h1", "h2"), "/r/agent", emulated=True)
    crowded, enough = (replace(step(ranks), hosts=hosts) for ranks in (3, 2))
    assert f" {variable}=1 " in command("openmpi", version, crowded).argv[-1]
    assert variable not in command("openmpi", version, enough).argv[-1]
    for asked in (step(3), replace(crowded, hosts=replace(hosts, emulated=False))):
        assert variable not in command("openmpi", version, asked).environment
    otherwise = replace(crowded, environment={variable: "0"})
    assert f" {variable}=0 " in command("openmpi", version, otherwise).argv[-1]


@pytest.mark.parametrize("kind", [*REAL, "mpi"])
def test_words_of_the_user_stay_whole_and_stand_before_the_program(kind: str) -> None:
    argv = command(kind, asked=step(words=HOSTILE)).argv
    at = argv.index("-x" if kind != "openmpi" else HOSTILE[1])
    assert HOSTILE[1] in argv
    assert at < argv.index("-n") < argv.index("/k/kernel")


def test_variables_of_a_job_win_over_those_of_the_library() -> None:
    asked = JobStep("/k", (), 2, {"I_MPI_PIN": "1"})
    assert command("impi", asked=asked).environment["I_MPI_PIN"] == "1"


def test_unknown_library_gets_the_standards_mpiexec() -> None:
    assert command("mpi").argv == ("/p/bin/mpiexec", "-n", "2", "/k/kernel", "--x")


def test_shm_is_one_process_a_rank() -> None:
    commands = launcher_for(backend("shm")).commands(step(3))
    assert [c.environment["LEADLINE_RANK"] for c in commands] == ["0", "1", "2"]
    assert {c.environment["LEADLINE_RANKS"] for c in commands} == {"3"}
    assert {c.environment["LEADLINE_JOB"] for c in commands} == {"a b"}
    assert {c.argv for c in commands} == {("/k/kernel", "--x")}


def test_tcp_is_one_process_a_rank_and_every_job_meets_at_a_place_of_its_own() -> None:
    first, second = (commands_of(backend("tcp"), step(3)) for _ in range(2))
    assert [c.environment["LEADLINE_RANK"] for c in first] == ["0", "1", "2"]
    places = [
        {c.environment["LEADLINE_RENDEZVOUS"] for c in commands} for commands in (first, second)
    ]
    assert [len(place) for place in places] == [1, 1]
    assert places[0] != places[1]
    assert all(place.startswith("127.") for place in places[0] | places[1])


def test_trace_is_one_process_a_rank_and_all_pipes_lie_in_the_steps_folder() -> None:
    commands = launcher_for(backend("trace")).commands(replace(step(3), folder="/s/1"))
    assert [c.environment["LEADLINE_RANK"] for c in commands] == ["0", "1", "2"]
    assert {c.environment["LEADLINE_INBOX"] for c in commands} == {"/s/1/inbox"}


def test_null_is_one_process_that_plays_all_ranks() -> None:
    environment = command("null", asked=step(512)).environment
    assert (environment["LEADLINE_RANK"], environment["LEADLINE_RANKS"]) == ("0", "512")


@pytest.mark.parametrize("kind", ["shm", "tcp", "trace", "null"])
def test_words_for_a_launcher_that_is_not_there_are_a_usage_error(
    kind: str, snapshot: SnapshotAssertion
) -> None:
    with pytest.raises(UsageError) as caught:
        launcher_for(backend(kind)).commands(step(words=HOSTILE))
    assert str(caught.value) == snapshot


# -- transports ------------------------------------------------------------------------------------


UCX = "UCX INFO ucp_context_0 intra-node cfg#1 tag(sysv/memory cma/memory)  rma(sysv/memory)\n"


def test_mpich_uses_its_own_shared_memory_even_where_ucx_lists_some() -> None:
    assert mpich_transport(f"{UCX}====== POSIX Topo Dist ======\n") == "posix"


def test_mpich_uses_ucx_where_a_version_that_would_name_posix_does_not() -> None:
    assert mpich_transport(f"{UCX}MPID/shm: MPIDI_POSIX_coll_generic_json\n") == "ucx sysv+cma"


def test_mpich_that_would_not_name_posix_is_unknown() -> None:
    assert mpich_transport(UCX) == "unknown"


def test_openmpi_names_the_layer_that_reaches_others_not_oneself() -> None:
    chosen = "[h:1] select: component ob1 selected\n"
    layers = "mca: bml: Using self btl for send to x\nmca: bml: Using vader btl for send to y\n"
    assert openmpi_transport(chosen + layers) == "ob1 vader"
    assert openmpi_transport("[h:1] select: component ucx selected\n") == "ucx"


def test_intel_mpi_names_its_fabrics_in_the_tuning_file() -> None:
    provider = "[0] MPI startup(): libfabric provider: tcp\n"
    assert intel_transport('Load tuning file: "/a b/etc/tuning_gnr_shm.dat"') == "shm"
    assert intel_transport(f'{provider}Load tuning file: "/a/tuning_emr_shm-ofi.dat"') == "shm"
    assert (
        intel_transport(f'{provider}Load tuning file: "/a_shm.x/tuning_skx_ofi.dat"') == "ofi tcp"
    )


@pytest.mark.parametrize("kind", [*REAL, "mpi"])
def test_silence_is_unknown(kind: str) -> None:
    assert KINDS[kind].diagnostic.transport("") == "unknown"


# -- real launches ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", REAL)
def test_launcher_of_emulated_hosts_is_started_on_the_first_of_them(kind: str) -> None:
    hosts = Hosts(("h1", "h2"), "/r/agent", emulated=True)
    sent = command(kind, asked=replace(step(), hosts=hosts))
    assert sent.argv[:2] == ("/r/agent", "h1")
    assert sent.argv[2].startswith("exec sh -c ")  # what is killed is the launcher, not a shell
    assert "/p/bin/mpiexec" in sent.argv[2]
    here = command(kind, asked=replace(step(), hosts=replace(hosts, emulated=False)))
    assert here.argv[0] == "/p/bin/mpiexec"
