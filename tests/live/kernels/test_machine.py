"""What a kernel says of the machine under it, also where that is hidden or plays another one."""

from __future__ import annotations

import socket
from pathlib import Path

from harness.kernels import kernel
from harness.patience import PATIENCE_S
from tests.support.emulated import needs_root

from leadline.hosts.survey import BOOT_ID, this_site
from leadline.kernels.messages import Hello, read_records
from leadline.processes import run

OTHER_NAME = ("unshare", "--uts", "sh", "-c", 'hostname h7 && exec "$@"', "sh")
OTHER_CLOCK = ("unshare", "--time", "--monotonic", "1000", "--fork")
HIDDEN = (
    "unshare", "--mount", "--propagation", "private", "sh", "-c",
    f'mount --bind /dev/null /{BOOT_ID} && exec "$@"', "sh",
)  # fmt: skip


def hello(folder: Path, *entering: str) -> Hello:
    """What the null backend's kernel says when it is started by way of `entering`."""
    (folder / "script").write_text("end\n")
    words = ("--script", str(folder / "script"), "--records", str(folder / "records"))
    place = {"LEADLINE_RANK": "0", "LEADLINE_RANKS": "2"}
    ending = run([*entering, str(kernel("null")), *words], PATIENCE_S, place)
    assert ending.status == 0, ending.output
    (text,) = read_records(folder / "records.0")
    assert isinstance(text, Hello)
    return text


def time_namespace() -> str:
    return Path("/proc/self/ns/time").readlink().name.removeprefix("time:[").removesuffix("]")


def test_machine_is_that_of_the_survey_and_the_clock_its_time_namespace(tmp_path: Path) -> None:
    output, here = hello(tmp_path), this_site()
    assert here.is_that_of(output.host, output.machine)
    assert output.clock == f"{here.machine}:{time_namespace()}"


@needs_root
def test_another_host_on_this_machine_has_its_name_and_this_clock(tmp_path: Path) -> None:
    output, plain = hello(tmp_path, *OTHER_NAME), hello(tmp_path)
    assert (output.host, plain.host) == ("h7", socket.gethostname())
    assert (output.machine, output.clock) == (plain.machine, plain.clock)


@needs_root
def test_time_namespace_is_another_clock_of_the_same_machine(tmp_path: Path) -> None:
    output, plain = hello(tmp_path, *OTHER_CLOCK), hello(tmp_path)
    assert output.machine == plain.machine
    assert output.clock != plain.clock


@needs_root
def test_machine_that_hides_its_boot_is_called_after_the_host(tmp_path: Path) -> None:
    output = hello(tmp_path, *HIDDEN)
    assert output.machine == output.host == socket.gethostname()
    assert output.clock == f"{output.host}:{time_namespace()}"
