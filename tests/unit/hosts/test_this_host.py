"""Facts about the machine, read from pretended /proc and /sys, and what they warn of."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from leadline.hosts.this_host import (
    can_pin,
    clock_read_at_most_ns,
    describe_machine,
    machine_warnings,
)
from leadline.record.machine import HostFacts

QUIET = HostFacts(
    allowed_cpus=(0, 1, 2, 3),
    pinning=True,
    clock_source="tsc",
    governor="performance",
    load_1min=0.1,
    shared_memory_free_bytes=2**33,
)
CPU = f"sys/devices/system/cpu/cpu{min(os.sched_getaffinity(0))}"


def machine(root: Path, files: dict[str, str]) -> HostFacts:
    """The description of a machine that has these files."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return describe_machine(root)


def test_this_machine_is_described_in_json() -> None:
    described = describe_machine()
    assert HostFacts.of(json.loads(json.dumps(described.as_json()))) == described
    assert described.allowed_cpus == tuple(sorted(os.sched_getaffinity(0)))
    assert 0 < (described.memory_available_bytes or 0) <= (described.memory_total_bytes or 0)


def test_what_cannot_be_known_is_none_and_never_zero(tmp_path: Path) -> None:
    described = machine(tmp_path, {})
    for name in (
        "cpu", "sockets", "numa_nodes", "threads_per_core", "network", "cpu_quota",
        "clock_source", "governor", "memory_total_bytes",
        "memory_available_bytes", "shared_memory_free_bytes", "last_level_cache_bytes",
    ):  # fmt: skip
        assert getattr(described, name) is None, name
    assert (described.container, described.virtual_machine) == (False, False)


def test_layout_counts_packages_memory_nodes_and_threads_of_a_core(tmp_path: Path) -> None:
    cores = "sys/devices/system/cpu/cpu{}/topology"
    files = {f"{cores.format(i)}/physical_package_id": f"{i // 2}\n" for i in range(4)}
    files |= {f"{CPU}/topology/thread_siblings_list": "0-1,8\n"}
    files |= {f"sys/devices/system/node/node{i}/cpulist": "0\n" for i in range(3)}
    files |= {"sys/devices/system/node/has_cpu": "0-1\n"}
    described = machine(tmp_path, files)
    assert (described.sockets, described.numa_nodes) == (2, 3)
    assert described.threads_per_core == 3


def test_network_names_devices_with_driver_and_speed_and_no_loopback(tmp_path: Path) -> None:
    net, driver = tmp_path / "sys/class/net", tmp_path / "sys/bus/drivers/mlx5_core"
    driver.mkdir(parents=True)
    for name, speed in (("eth0", "100000\n"), ("eth1", "-1\n")):
        (net / name / "device").mkdir(parents=True)
        (net / name / "device/driver").symlink_to(driver)
        (net / name / "speed").write_text(speed)
    files = {
        "sys/class/net/lo/speed": "1\n",
        "sys/class/infiniband/mlx5_0/ports/1/rate": "200 Gb/sec (4X HDR)\n",
    }
    found = machine(tmp_path, files).network
    assert found == "eth0 mlx5_core 100000 Mbit/s; eth1 mlx5_core; mlx5_0 200 Gb/sec (4X HDR)"


def test_last_level_cache_is_the_highest_level_and_holds_what_is_written(tmp_path: Path) -> None:
    files: dict[str, str] = {}
    caches = (("1", "48K", "Data"), ("3", "32M", "Unified"), ("2", "2048K", "Unified"))
    for index, (level, size, kind) in enumerate((*caches, ("4", "1G", "Instruction"))):
        folder = f"{CPU}/cache/index{index}"
        files |= {f"{folder}/level": level, f"{folder}/size": size, f"{folder}/type": kind}
    assert machine(tmp_path, files).last_level_cache_bytes == 32 * 2**20


def test_available_memory_is_the_least_of_machine_and_control_group(tmp_path: Path) -> None:
    files = {"proc/meminfo": "MemTotal:  4096 kB\nMemAvailable:  2048 kB\n"}
    assert machine(tmp_path, files).memory_available_bytes == 2048 * 1024
    files |= {"sys/fs/cgroup/memory.max": "1000\n", "sys/fs/cgroup/memory.current": "400\n"}
    assert machine(tmp_path, files).memory_available_bytes == 600
    files |= {"sys/fs/cgroup/memory.max": "max\n"}
    assert machine(tmp_path, files).memory_available_bytes == 2048 * 1024


def test_quota_is_the_least_of_the_control_group_and_its_ancestors(tmp_path: Path) -> None:
    files = {
        "proc/self/cgroup": "0::/a/b\n",
        "sys/fs/cgroup/a/cpu.max": "150000 100000\n",
        "sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
    }
    assert machine(tmp_path, files).cpu_quota == 1.5


def test_quota_of_the_first_version_of_control_groups_is_read(tmp_path: Path) -> None:
    files = {
        "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000\n",
        "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
    }
    assert machine(tmp_path, files).cpu_quota == 0.5
    files["sys/fs/cgroup/cpu/cpu.cfs_quota_us"] = "-1\n"
    assert machine(tmp_path, files).cpu_quota is None


@pytest.mark.parametrize(
    "files",
    [{".dockerenv": ""}, {"run/.containerenv": ""}, {"proc/1/cgroup": "0::/kubepods/pod1\n"}],
)
def test_container_is_noticed(tmp_path: Path, files: dict[str, str]) -> None:
    assert machine(tmp_path, files).container is True


def test_virtual_machine_processor_clock_and_governor_are_read(tmp_path: Path) -> None:
    clock = "sys/devices/system/clocksource/clocksource0/current_clocksource"
    described = machine(
        tmp_path,
        {
            "proc/cpuinfo": "model name\t: Some CPU\nflags\t\t: fpu hypervisor sse\n",
            clock: "hpet\n",
            f"{CPU}/cpufreq/scaling_governor": "powersave\n",
        },
    )
    assert described.virtual_machine is True
    assert described.cpu == "Some CPU"
    assert (described.clock_source, described.governor) == ("hpet", "powersave")


def test_trying_to_pin_leaves_this_thread_as_it_was() -> None:
    before = os.sched_getaffinity(0)
    assert can_pin(min(before))
    assert os.sched_getaffinity(0) == before


def test_pinning_to_a_core_that_is_not_there_is_not_possible() -> None:
    assert not can_pin(1023)


def test_clock_costs_something() -> None:
    assert clock_read_at_most_ns() > 0


def test_quiet_machine_warns_of_nothing() -> None:
    assert machine_warnings(QUIET) == []
    unknown = replace(QUIET, clock_source=None, governor=None, shared_memory_free_bytes=None)
    assert machine_warnings(unknown) == []


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("cores", {"allowed_cpus": (0,)}),
        ("cpu_quota", {"cpu_quota": 1.5}),
        ("pinning", {"pinning": False}),
        ("clock", {"clock_source": "hpet"}),
        ("governor", {"governor": "powersave"}),
        ("load", {"load_1min": 3.0}),
        ("shared_memory", {"shared_memory_free_bytes": 2**26}),
    ],
)
def test_each_disturbance_is_one_warning_with_a_remedy(code: str, change: dict[str, Any]) -> None:
    (warning,) = machine_warnings(replace(QUIET, **change))
    assert warning.code == code
    assert warning.cause
    assert warning.remedy
