"""Compiles what many tests use, before the first of them: `python -m harness.prebuilt`.

It stays in the user's cache between runs, by its content. Of several processes one compiles and
the others wait.
"""

from __future__ import annotations

import compileall
import fcntl
import shutil
import sys
from collections.abc import Callable

from harness import kernels
from harness.places import ROOT
from leadline.backends.discovery.pvm import find_pvm
from leadline.backends.discovery.smpi import find_smpi
from leadline.errors import BuildError, MachineError
from leadline.files import cache_directory
from leadline.kernels.build import build_kernel, describe
from leadline.mapping.library import mapping_library
from leadline.simulate.flow import flow_library
from leadline.simulate.smpi.simgrid import plug_in

RAW = ("null", "shm", "tcp", "trace")
ADDITIONS = (kernels.FAULTS, kernels.LOST_PUTS, kernels.LOST_RECEIVES, kernels.HEAT)
"""To kernels over shared memory, those that most modules ask for."""


def _bytecode() -> None:
    compileall.compile_dir(ROOT / "src", quiet=2)


def _raw_kernels() -> None:
    for kind in RAW:
        kernels.kernel(kind)


def _kernels_with_additions() -> None:
    for additions in ADDITIONS:
        kernels.kernel("shm", additions)


def _openshmem_kernel() -> None:
    if shutil.which("oshcc"):
        kernels.kernel("shmem")


def _simulated_kernel() -> None:
    backend = find_smpi()
    if backend.usable:
        build_kernel(backend)
        plug_in()


STEPS: dict[str, Callable[[], object]] = {
    "the package's bytecode": _bytecode,
    "the mapping library": mapping_library,
    "the flow library": flow_library,
    "raw kernels": _raw_kernels,
    "kernels with faults": _kernels_with_additions,
    "the kernel over OpenSHMEM": _openshmem_kernel,
    "the kernel over SimGrid": _simulated_kernel,
}
"""What each makes or finds; a test that needs what can't be made says itself what is missing."""


def build(say: Callable[[str], object] = lambda _: None) -> None:
    """Takes all STEPS; what fails is said, and is no end: few tests may need it."""
    cache_directory().mkdir(parents=True, exist_ok=True)
    with (cache_directory() / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name, make in STEPS.items():
            try:
                make()
            except (BuildError, MachineError) as error:
                say(f"not built: {name}: {error}")


def prime() -> None:
    """Asks once in this process what is then remembered: versions of compilers, descriptions."""
    find_pvm()
    if find_smpi().usable:
        plug_in()
    for kind in RAW:
        describe(kernels.kernel(kind))


if __name__ == "__main__":
    build(lambda said: print(said, file=sys.stderr))
