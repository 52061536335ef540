"""What starts a launch over PVM: the words that say how, and the folder of its daemon."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

import pytest
from tests.support.virtual_machine import commands

from leadline.backends.launchers.pvm import route_of, settings
from leadline.errors import MachineError, UsageError


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


@pytest.mark.parametrize("left", ["pvmd.0", "pvmd.1000.mine"])
def test_address_of_a_daemon_that_is_gone_is_removed(left: str) -> None:
    with tempfile.TemporaryDirectory(prefix="leadline-vm-") as place:
        address = Path(place) / left
        address.write_text(f"{place}/pvmtmp000001.0")
        commands(folder=place)
        assert not address.exists()


def test_folder_of_a_daemon_that_answers_is_refused() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="leadline-vm-") as place,
        socket.socket(socket.AF_UNIX) as daemon,
    ):
        daemon.bind(f"{place}/pvmtmp000001.0")
        daemon.listen()
        address = Path(place) / "pvmd.0"
        address.write_text(f"{place}/pvmtmp000001.0")
        with pytest.raises(MachineError, match=rf"another daemon runs in {place}.*PVM_TMP={place}"):
            commands(folder=place)
        assert address.exists()


def test_folder_too_long_for_a_socket_is_refused_before_pvm_overflows() -> None:
    with pytest.raises(MachineError, match=r"100 bytes long.*room for 89; set TMPDIR"):
        commands(folder="/tmp/" + 95 * "x")
