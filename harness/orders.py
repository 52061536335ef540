"""The order of loads and stores: ranks as threads, watched by the thread sanitizer, and faults.

Each rank is a thread with a copy of the program as a shared object (tests/native/rank_threads.c).
The sanitizer takes every ordering at its word of C11, whatever the processor below would do: what
only x86 keeps in order is a race here. It knows no fences, but where tests/native/weak_shmem tells
it of them, and can't tell sequential consistency from releases and acquires (UNSEEN).
"""

from __future__ import annotations

import re
import shutil
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.kernels import NATIVE
from harness.patience import PATIENCE_S
from leadline.files import cache_directory
from leadline.kernels.build import LIBRARIES, SOURCES, common_objects
from leadline.native.compiler import c_compiler, compile_all, digest, once, run, sources_digest
from leadline.processes import CommandResult
from leadline.processes import run as run_process

BACKENDS = SOURCES / "backends"
FLAGS = ("-fsanitize=thread", "-Wno-tsan", "-fno-builtin", "-fPIC")
"""A memcpy that the compiler unfolds is one that the sanitizer doesn't see."""
RACE_STATUS = 66
WAYS: Sequence[tuple[int, Mapping[str, str]]] = (
    (2, {}), (3, {}), (2, {"ALL_COPIES_SINGLE": "1"}),
)  # fmt: skip
"""Ranks and environment of the runs that together meet every ordering."""
UNSEEN = {
    "shm/one_sided.c seq_cst relaxed": "a fence, of which others learn by a release alone",
    "engine/repetitions.c load asleep": "a store, then a load of another word, seen so by all",
    "engine/repetitions.c store asleep": "the same",
}
"""Faults, without their line, that this sanitizer can't see, and why."""


# -- faults ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fault:
    """A source in which something is ordered less than it was written."""

    source: Path
    line: int
    what: str
    text: str

    @property
    def kind(self) -> str:
        return f"{self.source.parent.name}/{self.source.name} {self.what}"


ORDER = re.compile(r"memory_order_(acquire|release|acq_rel|seq_cst)\b")
LIBRARY_FENCE = re.compile(r"shmem_fence\(\);")
BY_DEFAULT = re.compile(r"\batomic_(load|store|fetch_add)\(&?(\w+)((?:, [^()]*)?)\)")
HALVES = {"acq_rel": ("acquire", "release")}


def _fault(source: Path, found: re.Match[str], what: str, instead: str) -> Fault:
    text = source.read_text()
    line = text.count("\n", 0, found.start()) + 1
    return Fault(source, line, what, text[: found.start()] + instead + text[found.end() :])


def faults_of(source: Path) -> list[Fault]:
    """Each ordering that `source` names relaxed, of acq_rel also halved; each fence taken out."""
    text = source.read_text()
    orders = [
        _fault(source, found, f"{found[1]} {weaker}", f"memory_order_{weaker}")
        for found in ORDER.finditer(text)
        for weaker in (*HALVES.get(found[1], ()), "relaxed")
    ]
    return orders + [_fault(source, f, "fence out", "") for f in LIBRARY_FENCE.finditer(text)]


def faults_by_word(source: Path) -> list[Fault]:
    """Of a source that names no orderings: all loads, or all stores, of each word relaxed."""
    text = source.read_text()
    operations = {(found[1], found[2]): found for found in BY_DEFAULT.finditer(text)}
    return [
        Fault(
            source, text.count("\n", 0, first.start()) + 1, " ".join(which), _relaxed(text, which)
        )
        for which, first in operations.items()
    ]


def _relaxed(text: str, which: tuple[str, str]) -> str:
    def instead(found: re.Match[str]) -> str:
        if (found[1], found[2]) != which:
            return found[0]
        arguments = found[0].partition("(")[2].removesuffix(")")
        return f"atomic_{found[1]}_explicit({arguments}, memory_order_relaxed)"

    return BY_DEFAULT.sub(instead, text)


# -- ranks as threads ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Subject:
    """A backend whose ranks run as threads."""

    name: str
    sources: tuple[Path, ...]
    wrapped: tuple[str, ...]
    """Functions that as_thread.c, or one of the sources, takes over."""
    relied_on: tuple[Path, ...]
    """Of the sources those whose orderings matter."""
    includes: tuple[Path, ...] = ()

    def faults(self) -> list[Fault]:
        return [fault for source in self.relied_on for fault in faults_of(source)]


def _in(folder: str, *names: str) -> tuple[Path, ...]:
    files = sorted((BACKENDS / folder).glob("*.c"))
    return tuple(path for path in files if not names or path.stem in names)


OF_THE_PROCESS = ("getenv", "mmap", "munmap", "process_vm_readv")
SHM = Subject(
    "shm",
    (BACKENDS / "shm.c", *_in("shm"), *_in("matching"), *_in("queue")),
    (*OF_THE_PROCESS, "single_copy_pays"),
    _in("shm", "barriers", "messages", "one_sided"),
)
SHMEM = Subject(
    "shmem",
    (
        *_in("shm", "barriers", "one_sided", "segment"),
        *_in("shmem", "heap", "mailbox"),
        *_in("matching"),
        *_in("queue"),
        NATIVE / "weak_shmem" / "weak_shmem.c",
    ),
    (*OF_THE_PROCESS, "__tsan_atomic_thread_fence"),
    _in("shmem", "mailbox"),
    (NATIVE / "weak_shmem",),
)
"""OpenSHMEM's mailbox over shm's one-sided operations."""
SUBJECTS = (SHM, SHMEM)


def endings(subject: Subject, into: Path, fault: Fault | None = None) -> list[CommandResult]:
    """How tests/native/orders.c over `subject` ended, in all of WAYS until the first race."""
    program = _shared_object(subject, into, fault)
    seen: list[CommandResult] = []
    for ranks, environment in WAYS:
        seen.append(_run_as_threads(program, ranks, environment))
        if seen[-1].status == RACE_STATUS:
            break
    return seen


def _key() -> list[str]:
    return [common_objects(FLAGS).name, sources_digest(NATIVE)]


def _host() -> Path:
    """The program that runs ranks as threads."""

    def make(into: Path) -> None:
        source = NATIVE / "rank_threads.c"
        (threads,) = compile_all(c_compiler(), [source], into, FLAGS, {})
        run([c_compiler(), *FLAGS, "-rdynamic", str(threads), "-o", str(into / "host")], {})

    return once(cache_directory() / "contracts" / digest([*_key(), "host"]), make) / "host"


def _compiled(subject: Subject, sources: Sequence[Path], into: Path) -> list[Path]:
    includes = [f"-I{path}" for path in (*subject.includes, SOURCES, NATIVE)]
    return compile_all(c_compiler(), sources, into, [*includes, *FLAGS], {})


def _objects(subject: Subject) -> Path:
    def make(into: Path) -> None:
        checks = [NATIVE / "orders.c", NATIVE / "as_thread.c"]
        _compiled(subject, [*subject.sources, *checks], into)

    key = digest([*_key(), subject.name, "threads"])
    return once(cache_directory() / "objects" / key, make)


def _planted(fault: Fault, into: Path) -> Path:
    """The faulty source, in a folder of the right one's name: so are objects named."""
    path = into / fault.source.parent.name / fault.source.name
    path.parent.mkdir(exist_ok=True)
    path.write_text(fault.text)
    return path


def _shared_object(subject: Subject, into: Path, fault: Fault | None) -> Path:
    parts = {path.name: path for path in sorted(_objects(subject).glob("*.o"))}
    if fault:
        (instead,) = _compiled(subject, [_planted(fault, into)], into)
        assert instead.name in parts, fault.kind
        parts[instead.name] = instead
    wrapped = [f"-Wl,--wrap={name}" for name in subject.wrapped]
    words = [*map(str, parts.values()), str(common_objects(FLAGS) / "libfallback.a"), *wrapped]
    target = into / "orders.so"
    run([c_compiler(), *FLAGS, "-shared", *words, *LIBRARIES, "-o", str(target)], {})
    return target


def _watched(argv: Sequence[str], environment: Mapping[str, str]) -> CommandResult:
    options = {"TSAN_OPTIONS": f"halt_on_error=1 exitcode={RACE_STATUS}"}
    return run_process(argv, PATIENCE_S, options | dict(environment))


def _run_as_threads(program: Path, ranks: int, environment: Mapping[str, str]) -> CommandResult:
    copies = [program.with_name(f"rank{rank}.so") for rank in range(ranks)]
    for copy in copies:
        shutil.copyfile(program, copy)
    job = {"LEADLINE_JOB": uuid.uuid4().hex}
    return _watched([str(_host()), *map(str, copies)], job | dict(environment))


# -- the two threads of a rank ---------------------------------------------------------------------

REPETITIONS = SOURCES / "engine" / "repetitions.c"


def ending_of_two_threads(into: Path, fault: Fault | None = None) -> CommandResult:
    """How tests/native/two_threads.c ended over null."""
    repetitions = _planted(fault, into) if fault else REPETITIONS
    channel = [SOURCES / "channel" / f"{name}.c" for name in ("machine", "words")]
    sources = [NATIVE / "two_threads.c", repetitions, *channel, BACKENDS / "null.c"]
    objects = compile_all(c_compiler(), sources, into, [f"-I{SOURCES}", *FLAGS], {})
    target = into / "two_threads"
    run([c_compiler(), *FLAGS, *map(str, objects), *LIBRARIES, "-o", str(target)], {})
    return _watched([str(target)], {})
