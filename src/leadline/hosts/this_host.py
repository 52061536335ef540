"""Facts about this machine that decide the speed of messages, and the quality of measurements."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from leadline.record.machine import HostFacts
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.units import parse_size

CLOCK_READS, CLOCK_ROUNDS = 1000, 20
CLOCK = "sys/devices/system/clocksource/clocksource0/current_clocksource"
FAST_CLOCKS = ("tsc", "arch_sys_counter", "timebase", "tod")
"""Clock sources that are read without entering the kernel."""
BUSY_SHARE = 0.25
"""Runnable processes per allowed core from which on the machine is busy."""
SMALL_SHM_BYTES = 2**28
"""Free bytes of /dev/shm below which libraries may find too few."""


@dataclass(frozen=True, slots=True)
class Load:
    """Load of a machine, averaged over the last minute."""

    processes: float
    """Number of runnable processes."""
    cores: int
    """Number of cores that may be used."""


def present_load() -> Load:
    """Present load of this machine."""
    return Load(os.getloadavg()[0], len(os.sched_getaffinity(0)))


def describe_machine(root: Path = Path("/")) -> HostFacts:
    """Facts about this machine; None where one can't be known.

    Args:
        root: Folder that /proc and /sys are read from.
    """
    allowed = sorted(os.sched_getaffinity(0))
    cpu = root / f"sys/devices/system/cpu/cpu{allowed[0]}"
    marks = (root / ".dockerenv", root / "run/.containerenv")
    groups = _text(root / "proc/1/cgroup") or ""
    grouped = re.search(r"docker|kubepods|lxc|containerd|libpod", groups) is not None
    return HostFacts(
        host=platform.node(),
        kernel=f"{platform.system()} {platform.release()}",
        architecture=platform.machine(),
        cpu=_field(root / "proc/cpuinfo", "model name"),
        cores=os.cpu_count(),
        sockets=sockets(root),
        numa_nodes=numa_nodes(root),
        threads_per_core=threads_per_core(cpu),
        network=network(root),
        allowed_cpus=tuple(allowed),
        cpu_quota=_cpu_quota(root),
        pinning=can_pin(allowed[0]),
        clock_source=_text(root / CLOCK),
        clock_read_at_most_ns=clock_read_at_most_ns(),
        governor=_text(cpu / "cpufreq/scaling_governor"),
        load_1min=round(os.getloadavg()[0], 2),
        memory_total_bytes=_memory(root, "MemTotal"),
        memory_available_bytes=_available_bytes(root),
        shared_memory_free_bytes=_free_bytes(root / "dev/shm"),
        last_level_cache_bytes=_last_level_cache_bytes(cpu / "cache"),
        container=grouped or any(mark.exists() for mark in marks),
        virtual_machine="hypervisor" in (_field(root / "proc/cpuinfo", "flags") or "").split(),
    )


def machine_warnings(machine: HostFacts) -> list[RunWarning]:
    """Properties of `machine` that make measurements worse than they could be."""
    warnings: list[RunWarning] = []
    allowed = len(machine.allowed_cpus or ())
    if allowed < 2:
        warnings.append(warning_of(WarningKind.CORES))
    if machine.cpu_quota is not None and machine.cpu_quota < allowed:
        quota = machine.shown("cpu_quota")
        warnings.append(warning_of(WarningKind.CPU_QUOTA, quota=quota, cores=allowed))
    if not machine.pinning:
        warnings.append(warning_of(WarningKind.PINNING))
    if machine.load_1min is not None and machine.load_1min > BUSY_SHARE * allowed:
        load = machine.shown("load_1min")
        warnings.append(warning_of(WarningKind.LOAD, load=load, cores=allowed))
    clock, governor = machine.clock_source, machine.governor
    if clock is not None and clock not in FAST_CLOCKS:
        warnings.append(warning_of(WarningKind.CLOCK, clock=clock))
    if governor not in (None, "performance"):
        warnings.append(warning_of(WarningKind.GOVERNOR, governor=governor))
    shared = machine.shared_memory_free_bytes
    if shared is not None and shared < SMALL_SHM_BYTES:
        left = machine.shown("shared_memory_free_bytes")
        warnings.append(warning_of(WarningKind.SHARED_MEMORY, left=left))
    return warnings


def can_pin(core: int) -> bool:
    """Whether a thread of this process may bind itself to `core`; this thread stays unbound."""
    answers: list[bool] = []

    def bind() -> None:
        try:
            os.sched_setaffinity(0, {core})
            answers.append(os.sched_getaffinity(0) == {core})
        except OSError:
            answers.append(False)

    thread = threading.Thread(target=bind)
    thread.start()
    thread.join()
    return answers[0]


def clock_read_at_most_ns() -> float:
    """Upper bound of the cost of CLOCK_MONOTONIC: read from Python, where the call costs too."""
    read, least = time.monotonic_ns, float("inf")
    for _ in range(CLOCK_ROUNDS):
        begin = read()
        for _ in range(CLOCK_READS):
            read()
        least = min(least, (read() - begin) / CLOCK_READS)
    return round(least, 1)


def _field(path: Path, name: str) -> str | None:
    """Value in the first line "name : value"."""
    line = re.search(rf"^{re.escape(name)}\s*:[ \t]*(.*)$", _text(path) or "", re.MULTILINE)
    return line[1].strip() if line else None


def _memory(root: Path, name: str) -> int | None:
    value = _field(root / "proc/meminfo", name)
    return int(value.split()[0]) * 1024 if value else None


def _available_bytes(root: Path) -> int | None:
    """Memory that may still be allocated: the machine's, or the control group's if that is less."""
    rooms = [_memory(root, "MemAvailable")]
    for group in _control_groups(root):
        for most, used in (
            ("memory.max", "memory.current"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes"),
        ):
            limit, usage = _text(group / most), _text(group / used)
            if limit and usage and limit.isdigit() and usage.isdigit():
                rooms.append(max(0, int(limit) - int(usage)))
    return min((room for room in rooms if room is not None), default=None)


def _control_groups(root: Path) -> list[Path]:
    """Folders of this process's control group and of its ancestors, versions 1 and 2."""
    top = root / "sys/fs/cgroup"
    folders = [top, top / "memory", top / "cpu"]
    for line in (_text(root / "proc/self/cgroup") or "").splitlines():
        controllers, _, path = line.partition(":")[2].partition(":")
        group = top / controllers / path.lstrip("/")
        folders += [f for f in (group, *group.parents) if f.is_relative_to(top)]
    return list(dict.fromkeys(folders))


def _cpu_quota(root: Path) -> float | None:
    """Time quota of the control group, in cores; None: no limit."""
    quotas = []
    for group in _control_groups(root):
        limits = (_text(group / "cpu.max") or "").split()
        limits = limits or [_text(group / f"cpu.cfs_{n}_us") or "" for n in ("quota", "period")]
        if all(word.isdigit() for word in limits):
            quotas.append(int(limits[0]) / int(limits[1]))
    return min(quotas, default=None)


def shared_memory_is_short(folder: Path = Path("/dev/shm")) -> bool:
    """Whether a library may find too little space in `folder` for its segments, and send otherwise.

    False where it isn't known.
    """
    free = _free_bytes(folder)
    return free is not None and free < SMALL_SHM_BYTES


def _free_bytes(folder: Path) -> int | None:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def _last_level_cache_bytes(caches: Path) -> int | None:
    """Size of the highest-level cache that holds data."""
    sizes = {
        int(_text(cache / "level") or 0): _text(cache / "size")
        for cache in sorted(caches.glob("index*"))
        if _text(cache / "type") != "Instruction"
    }
    size = sizes[max(sizes)] if sizes else None
    return parse_size(size) if size else None


SPEED_MBIT_S = 1
"""Least speed of an interface that is taken to be true."""


def sockets(root: Path) -> int | None:
    """Number of processor packages; None: not known."""
    cores = root.glob("sys/devices/system/cpu/cpu[0-9]*/topology/physical_package_id")
    return len({text for core in cores if (text := _text(core)) is not None}) or None


def numa_nodes(root: Path) -> int | None:
    """Number of NUMA nodes; None: not known."""
    return len(list(root.glob("sys/devices/system/node/node[0-9]*"))) or None


def threads_per_core(cpu: Path) -> int | None:
    """Number of hardware threads sharing the core of `cpu`, a folder of /sys; None: not known."""
    listed = _text(cpu / "topology/thread_siblings_list")
    if listed is None:
        return None
    ends = (part.split("-") for part in listed.split(","))
    return sum(int(end[-1]) - int(end[0]) + 1 for end in ends)


def network(root: Path) -> str | None:
    """Interfaces that have a device, and InfiniBand adapters; None: there are none."""
    found = []
    for interface in sorted(root.glob("sys/class/net/*")):
        driver = interface / "device/driver"
        if driver.exists():
            speed = _text(interface / "speed") or ""
            known = speed.isdigit() and int(speed) >= SPEED_MBIT_S
            words = [interface.name, driver.resolve().name, *[f"{speed} Mbit/s"] * known]
            found.append(" ".join(words))
    for adapter in sorted(root.glob("sys/class/infiniband/*")):
        rates = {rate for port in sorted(adapter.glob("ports/*/rate")) if (rate := _text(port))}
        found.append(" ".join([adapter.name, *sorted(rates)]))
    return "; ".join(found) or None


def _text(path: Path) -> str | None:
    """Stripped text of a file; None where it can't be read, as for an interface that is down."""
    try:
        return path.read_text(errors="replace").strip() or None
    except OSError:
        return None


PREFIXES = (
    "OMPI_", "PRTE_MCA_", "PMIX_MCA_", "MPICH_", "MPIR_CVAR_", "I_MPI_", "UCX_", "FI_",
    "LEADLINE_SINGLE_COPY",
)  # fmt: skip
"""Prefixes of the variables that configure message-passing libraries and those below them."""
OURS = ("leadline", "__main__.py")


def command_line() -> tuple[str, ...]:
    """Command line of this process, the first word as users type it."""
    first, *others = sys.argv
    return ("leadline" if Path(first).name in OURS else first, *others)


def inherited_variables() -> Mapping[str, str]:
    """Variables of this process that configure libraries, which its ranks get too."""
    return {name: os.environ[name] for name in sorted(os.environ) if name.startswith(PREFIXES)}
