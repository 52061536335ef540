"""Hosts that answer, through a program in the agent's place that says what is planted."""

from __future__ import annotations

import os
import socket
from errno import ENOENT
from pathlib import Path

import pytest
from harness.patience import HANG_S
from syrupy.assertion import SnapshotAssertion
from tests.support.survey_agents import agent

from leadline.errors import MachineError, UsageError
from leadline.hosts import survey as module
from leadline.hosts.cores import Site
from leadline.hosts.placement import Hosts
from leadline.hosts.schedulers import SLURM, BatchJob
from leadline.hosts.survey import QUESTION, survey, this_site

BOOT = "26a273b7-2218-468b-83cd-930feddfa069"
STATUS = "Name:\tcat\nUmask:\t0022\nCpus_allowed:\tff\nCpus_allowed_list:\t{cores}\nMems:\t1\n"


def answer(
    name: str = "n1", boot: str = f"{BOOT}\n", online: str = "0-3", cores: str = "0-7"
) -> str:
    return f"{name}\n{boot}{online}\n" + STATUS.format(cores=cores)


def saying(folder: Path, text: str, status: int = 0) -> Hosts:
    (folder / "answer").write_text(text)
    return Hosts(("n1",), agent(folder, f"cat {folder}/answer; exit {status}"))


def test_real_answer_is_what_this_host_knows_of_itself(tmp_path: Path) -> None:
    hosts = Hosts(("elsewhere",), agent(tmp_path, 'shift; exec "$@"'))
    (found,) = survey(hosts)
    here = this_site()
    assert found == Site(here.name, here.machine, here.cores, "elsewhere")


def test_machine_that_cannot_be_read_is_called_after_the_host(tmp_path: Path) -> None:
    assert this_site(tmp_path).machine == socket.gethostname()
    complaint = f"cat: {QUESTION[2]}: Permission denied\n"
    (found,) = survey(saying(tmp_path, answer(boot=complaint), status=1))
    assert (found.machine, found.cores) == ("n1", (0, 1, 2, 3))


@pytest.mark.parametrize(
    ("text", "cores"),
    [
        (answer(), (0, 1, 2, 3)),  # the system allows cores that aren't there
        (answer(online="0-127", cores="2,64-65"), (2, 64, 65)),
        (answer(online="cat: /sys/devices/system/cpu/online: No such file"), tuple(range(8))),
        ("Warning: Permanently added 'n1' to the list of known hosts.\n" + answer(), (0, 1, 2, 3)),
    ],
)
def test_cores_are_those_allowed_and_online(
    text: str, cores: tuple[int, ...], tmp_path: Path
) -> None:
    assert survey(saying(tmp_path, text)) == (Site("n1", BOOT, cores, "n1"),)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'ssh: connect to host n2 port 22: No route to host' >&2; exit 255", "No route"),
        ("echo Permission denied, try again.; exit 1", "'Permission denied"),
        ("exit 0", "no output"),
        ("head -c 9000 /dev/urandom", "'n2'"),
        ("echo hello; echo world", "'world'"),
        ("printf 'n2\\nName: cat\\nCpus_allowed_list: 5-2\\n'", "Cpus_allowed_list"),
        ("printf 'n2\\nName: cat\\nCpus_allowed_list: 1-2-3\\n'", "Cpus_allowed_list"),
    ],
)
def test_host_that_does_not_answer_is_named_with_what_was_asked(
    script: str, message: str, tmp_path: Path
) -> None:
    ours = f'if test "$1" = n1; then shift; exec "$@"; fi; {script}'
    with pytest.raises(MachineError, match=r"--hosts: 'n2' .*agent n2 cat"):
        survey(Hosts(("n1", "n2"), agent(tmp_path, ours)))
    with pytest.raises(MachineError) as caught:
        survey(Hosts(("n1", "n2"), agent(tmp_path, ours)))
    assert message in str(caught.value)
    assert "--agent" in str(caught.value)


def test_agent_that_is_not_there_is_named() -> None:
    with pytest.raises(MachineError, match=rf"'n1' .*/nowhere/rsh: {os.strerror(ENOENT)}"):
        survey(Hosts(("n1",), "/nowhere/rsh"))


def test_emulated_host_that_is_no_more_is_to_be_brought_up_again() -> None:
    with pytest.raises(
        MachineError, match=rf"'h1' .*/agent: {os.strerror(ENOENT)}.*hosts up"
    ) as caught:
        survey(Hosts(("h1",), "/nowhere/agent", emulated=True))
    assert "password" not in str(caught.value)


def test_hosts_that_hang_are_waited_for_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", HANG_S)
    alive = tmp_path / "alive"
    hanging = agent(tmp_path, f"echo $$ >> {alive}; exec sleep 600")
    with pytest.raises(MachineError, match=r"'n1' .*\b10 s\b"):
        survey(Hosts(("n1", "n2", "n3"), hanging))
    pids = alive.read_text().split()
    assert len(pids) == 3
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


@pytest.mark.parametrize(
    "entered",
    [
        {"n1": "n1", "n2": "n1"},
        {"n1": "n7", "n2": "n7"},
        {"n1": "n2", "n2": "n1"},
    ],
    ids=["one is the other", "both are a third", "swapped"],
)
def test_agent_that_enters_the_wrong_host_is_found_out(
    entered: dict[str, str], tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    for asked, name in entered.items():
        (tmp_path / asked).write_text(answer(name=name))
    with pytest.raises(MachineError, match="'n1'") as caught:
        survey(Hosts(tuple(entered), agent(tmp_path, f'cat {tmp_path}/"$1"')))
    assert str(caught.value).replace(str(tmp_path), "DIR") == snapshot


def test_nodes_of_a_job_are_asked_by_its_scheduler(tmp_path: Path) -> None:
    """Each by the word for its node, whatever the agent is."""
    (tmp_path / "n1").write_text(answer("n1"))
    (tmp_path / "n2").write_text(answer("n2", boot=BOOT.replace("26a273b7", "36a273b7") + "\n"))
    text = f'for word; do case $word in --nodelist=*) cat {tmp_path}/"${{word#*=}}"; esac; done'
    job = BatchJob(SLURM, "17", agent(tmp_path, text), ("n1", "n2", "n3"), "n1")
    found = survey(Hosts(("n1", "n2"), "/nowhere/ssh"), job=job)
    assert [site.name for site in found] == ["n1", "n2"]
    silent = rf"'n3' .*{tmp_path}/agent .*--nodelist=n3 hostname' .*--launcher own"
    with pytest.raises(MachineError, match=silent):
        survey(Hosts(("n3",)), job=job)
    with pytest.raises(UsageError, match=r"'n4' .*\b17\b"):
        survey(Hosts(("n4",)), job=job)


def test_hosts_may_be_asked_for_by_other_names_than_their_own(tmp_path: Path) -> None:
    for asked, name in (("n1", "n1.example.org"), ("10.0.0.2", "n2")):
        (tmp_path / asked).write_text(answer(name=name))
    found = survey(Hosts(("n1", "10.0.0.2"), agent(tmp_path, f'cat {tmp_path}/"$1"')))
    assert [(site.asked, site.name) for site in found] == [
        ("n1", "n1.example.org"), ("10.0.0.2", "n2")
    ]  # fmt: skip


def test_named_cores_are_taken_in_their_order_where_a_host_may(tmp_path: Path) -> None:
    (found,) = survey(saying(tmp_path, answer()), (3, 1, 1))
    assert found.cores == (3, 1, 1)
    with pytest.raises(UsageError, match=r"--bind: core 9 .* 0,1"):
        survey(saying(tmp_path, answer()), (1, 9))


def test_containers_take_each_their_own_of_the_named_cores(tmp_path: Path) -> None:
    for name, cores in (("c1", "0-1"), ("c2", "2-3")):
        (tmp_path / name).write_text(answer(name=name, cores=cores))
    hosts = Hosts(("c1", "c2"), agent(tmp_path, f'cat {tmp_path}/"$1"'))
    first, second = survey(hosts, (0, 2))
    assert (first.cores, second.cores) == ((0,), (2,))
    with pytest.raises(UsageError, match=r"--bind .*'c2'.* 2,3"):
        survey(hosts, (0, 1))
