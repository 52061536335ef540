"""What can go wrong with a switch: rights that it hasn't got, clients that misbehave, its end."""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from errno import EACCES, EADDRINUSE, ENOENT, EPERM
from functools import partial
from pathlib import Path

import pytest
from harness.patience import PATIENCE_S
from syrupy.assertion import SnapshotAssertion
from tests.support.emulated import needs_root
from tests.support.medium import SANITISED
from tests.support.switched import SwitchedHosts, await_that, switched_hosts

from leadline.errors import MachineError
from leadline.hosts.emulated import switch
from leadline.hosts.emulated.link import parse_link
from leadline.hosts.emulated.switch import Switch, start_switch
from leadline.native.libraries import program

pytestmark = needs_root

LINK = parse_link("atm-155")
OWN_NETWORK = ("unshare", "--net")
WITHOUT_TUN = (
    "unshare", "--net", "--mount", "sh", "-c", 'mount -t tmpfs none /dev/net && exec "$@"', "sh",
)  # fmt: skip
WITHOUT_RIGHTS = (*OWN_NETWORK, "setpriv", "--bounding-set=-sys_nice,-sys_resource,-ipc_lock")
AS_NOBODY = (*OWN_NETWORK, "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


ODD_FRAMES = """
import random, socket, sys
chance, most = random.Random(int(sys.argv[1])), int(sys.argv[2])
sending = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
sending.bind(("eth0", 0))
known = [bytes([2, 0x4c, 0x65, 0x61, 0x64, n]) for n in range(1, 4)]
addresses = [*known, bytes(6), b"\\xff" * 6, bytes([1, 0, 0x5e, 0, 0, 1])]
for _ in range(2000):
    addressed = chance.choice(addresses) + chance.choice(addresses) + chance.randbytes(2)
    sending.send(addressed + chance.randbytes(chance.choice((0, 1, most, chance.randrange(most)))))
"""
"""To and from any address, of any length, of any protocol."""
WORDS = (
    "impair", "log", "counters", "state", "1", "2", "3", "cut=1", "cut=0", "rate=1e-3", "rate=1",
    "delay=1000", "delay=0", "delay=99999999999999999999", "log", "\0", "\t", "%s%n", "=", "x" * 99,
)  # fmt: skip


@pytest.fixture
def sanitised(monkeypatch: pytest.MonkeyPatch) -> None:
    """The switch under the address and behaviour sanitisers, which end it with an error."""
    monkeypatch.setattr(switch, "program", partial(program, flags=SANITISED))


@pytest.fixture
def hosts(sanitised: None) -> Iterator[SwitchedHosts]:
    with switched_hosts(LINK) as up:
        yield up
        assert up.ask(0, 1, 10), "the switch no longer works"
        assert up.lives
        up.switch.end()
        await_that(lambda: not up.lives)
        log = up.switch.control.with_suffix(".log").read_text()
        assert not log


def devices(hosts: SwitchedHosts) -> list[str]:
    """Those of the first host."""
    show = hosts.enter(0, "ip", "-br", "link")
    done = subprocess.run(show, capture_output=True, text=True, check=True)
    return [line.split("@")[0].split()[0] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_its_devices_end_with_it_wherever_they_are(number: signal.Signals) -> None:
    with switched_hosts(LINK) as hosts:
        assert "eth0" in devices(hosts)
        os.kill(hosts.pid, number)
        await_that(lambda: "eth0" not in devices(hosts))
        assert hosts.switch.control.exists() == (number == signal.SIGKILL)
        with pytest.raises(MachineError, match=re.escape(str(hosts.switch.control))):
            hosts.switch.traffic()


@pytest.mark.parametrize(
    ("entrance", "complaint"),
    [
        (WITHOUT_TUN, rf"t1: /dev/net/tun .*: {os.strerror(ENOENT)}"),
        (AS_NOBODY, rf"t1: .*: ({os.strerror(EACCES)}|{os.strerror(EPERM)})"),
    ],
    ids=["no tun", "no root"],
)
def test_what_the_machine_lacks_is_said_with_a_remedy(
    entrance: tuple[str, ...], complaint: str, tmp_path: Path
) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(MachineError) as caught:
        start_switch(LINK, 2, tmp_path / "switch", {}, entrance)
    assert re.search(complaint, str(caught.value))
    assert "modprobe tun" in str(caught.value)


def test_what_it_says_as_it_ends_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    control = tmp_path / "switch"

    def ends(_: int) -> bool:
        control.with_suffix(".log").write_text("parting")
        return True

    monkeypatch.setattr(switch, "has_ended", ends)
    with pytest.raises(MachineError, match="parting"):
        start_switch(LINK, 2, control, {}, ("true",))


def test_rights_that_it_has_not_got_are_said_and_it_works_without() -> None:
    with switched_hosts(LINK, entrance=WITHOUT_RIGHTS) as hosts:
        assert {"fifo", "memory"} <= hosts.switch.refused().keys()
        assert hosts.ask(0, 1, 10)


def test_a_right_that_it_has_is_enough_whatever_the_limit() -> None:
    limited = (*OWN_NETWORK, "prlimit", "--memlock=65536:65536", "setpriv")
    with switched_hosts(LINK, entrance=(*limited, "--bounding-set=-sys_resource")) as hosts:
        assert "memory" not in hosts.switch.refused()
        assert hosts.ask(0, 1, 10)


def test_place_of_another_switch_is_not_taken() -> None:
    with switched_hosts(LINK) as hosts:
        control = hosts.switch.control
        known = Switch(control).traffic()
        words = ("--control", str(control), "--ports", "1", "--rate", "1000")
        done = subprocess.run(
            [*OWN_NETWORK, program(switch.SOURCES), *words],
            capture_output=True, text=True, check=False, timeout=PATIENCE_S,
        )  # fmt: skip
        assert done.returncode == 1
        assert f"{control}: {os.strerror(EADDRINUSE)}" in done.stderr
        assert Switch(control).traffic() == known


@pytest.mark.parametrize(
    "words",
    [
        "--ports 0",
        "--ports 256",
        "--rate 0",
        "--rate 10M",
        "--mtu 65535",
        "--medium bus",
        "--framing fddi",
        "--speed 3",
        "--name",
        "",
    ],
)
def test_command_line_that_cannot_be_names_the_word(
    words: str, snapshot: SnapshotAssertion
) -> None:
    done = subprocess.run(
        [program(switch.SOURCES), *words.split()], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    first, usage, *_ = done.stderr.splitlines()
    assert first == snapshot
    assert usage.startswith("usage: switch --control")


def client(hosts: SwitchedHosts) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(PATIENCE_S)
    made.connect(str(hosts.switch.control))
    return made


@pytest.mark.parametrize(
    "request_text",
    [
        "", "shutdown", "impair", "impair x", "impair 1 rate=", "impair 1 rate=nan",
        "impair 1 speed=1", "impair 1 delay=-1", "impair 1 rate=1 cut", "impair 1" + " x" * 99,
        "impair 1x cut=1", "impair 1 cut=2", "impair 1 cut=no", f"impair {'1' * 248}",
        "impair 1 delay=10000000001", f"impair 2 delay={2**63 - 1}", f"impair 2 delay={2**64}",
        f"log {'9' * 200}", "log -1", f"log {-(2**63)}", "log all",
    ],
)  # fmt: skip
def test_line_that_cannot_be_obeyed_gets_an_answer_that_says_so_and_ends(
    hosts: SwitchedHosts, request_text: str
) -> None:
    with client(hosts) as asking, asking.makefile("rw") as lines:
        lines.write(f"{request_text}\n")
        lines.flush()
        assert lines.readline().startswith("error ")
        assert list(iter(lines.readline, "\n")) == []


def test_it_goes_on_whatever_hosts_send_and_clients_ask(hosts: SwitchedHosts) -> None:
    chance = random.Random(17)
    odd = [hosts.enter(n, sys.executable, "-c", ODD_FRAMES, str(n), str(LINK.mtu)) for n in (0, 1)]
    with subprocess.Popen(odd[0]) as one, subprocess.Popen(odd[1]) as other:
        while one.poll() is None or other.poll() is None:
            words = [chance.choice(WORDS[:4]), *chance.choices(WORDS, k=chance.randrange(4))]
            with client(hosts) as asking:
                asking.sendall(" ".join(words).encode() + chance.choice((b"", b"\n", b"\nlog\n")))
                if chance.random() < 0.5:
                    asking.sendall(b"\n")
                    asking.recv(chance.randrange(1, 1000))
    assert (one.returncode, other.returncode) == (0, 0)
    for port in (1, 2):
        hosts.switch.impair(port, 1.0, 0.0, cut=False)
    await_that(
        lambda: sum(p.sent_frames + p.dropped_frames for p in hosts.switch.traffic()) >= 4000
    )


def test_clients_that_leave_or_babble_are_dismissed(hosts: SwitchedHosts) -> None:
    hosts.ask(0, 1, *[10] * 300)
    with client(hosts) as babbling:
        babbling.sendall(b"x" * 1000)
        assert not receives(babbling)
    with client(hosts) as leaving:
        leaving.sendall(b"log\n")
    with client(hosts) as silent:
        silent.sendall(b"impair 1 ra")


def receives(client: socket.socket) -> bytes:
    """What it gets; nothing where it is shut out."""
    try:
        return client.recv(100)
    except ConnectionResetError:
        return b""


def test_several_requests_are_answered_one_after_another(hosts: SwitchedHosts) -> None:
    with client(hosts) as asking, asking.makefile("rw") as lines:
        lines.write("state\ncounters\nimpair 1 cut=0\n")
        lines.flush()
        answers = [list(iter(lines.readline, "\n")) for _ in range(3)]
    assert [answer[0] for answer in answers] == ["ok\n"] * 3
    assert [len(answer) for answer in answers] == [9, 3, 1]


def test_who_waits_behind_another_client_is_answered_after_it(hosts: SwitchedHosts) -> None:
    with client(hosts) as first:
        first.sendall(b"counters\n")
        assert first.recv(3) == b"ok\n"
        with client(hosts) as second:
            second.sendall(b"counters\n")
            first.close()
            assert second.recv(3) == b"ok\n"
