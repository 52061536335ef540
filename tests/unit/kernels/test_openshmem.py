"""OpenSHMEM: the contract over a real one, how one is found, what is said of a broken one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness.kernels import openshmem
from harness.steps import commands_of

from leadline.backends.kinds.openshmem import ucx_rma_transport
from leadline.backends.launchers import JobStep

# -- the contract ----------------------------------------------------------------------------------


def heap(buffer_bytes: int, environment: Mapping[str, str]) -> set[str]:
    """What PEs with such buffers are told of their symmetric heap."""
    step = JobStep("/k", (), 2, environment, buffer_bytes=buffer_bytes)
    (command,) = commands_of(openshmem(), step)
    return {f"{k}={v}" for k, v in command.environment.items() if k.startswith("SHMEM_")}


def test_heap_grows_with_the_buffers_unless_the_user_says_a_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert heap(0, {}) == heap(2_000_000, {}) == set()
    message = str(5 * 2**29 + 64 * 2**20)
    assert heap(2**29, {}) == {
        f"SHMEM_SYMMETRIC_SIZE={message}", f"SHMEM_SYMMETRIC_HEAP_SIZE={message}"
    }  # fmt: skip
    assert heap(2**29, {"SHMEM_SYMMETRIC_SIZE": "1G"}) == {"SHMEM_SYMMETRIC_SIZE=1G"}
    monkeypatch.setenv("SHMEM_SYMMETRIC_SIZE", "2G")
    assert heap(2**29, {}) == set()


# -- how it is found -------------------------------------------------------------------------------


def test_transport_is_the_first_lane_to_another_pe() -> None:
    text = "ep_cfg[0]: rma(self/memory0)\nep_cfg[1]: rma(sysv/memory posix/memory) amo(x)"
    assert ucx_rma_transport(text) == "ucx sysv"
    assert ucx_rma_transport("ep_cfg[0]: rma(self/memory0)") == "unknown"
