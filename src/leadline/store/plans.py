"""The plan of a run, in a checksummed file of its own beside the journal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from leadline.errors import RecordError
from leadline.files import read_plain
from leadline.record.fields import FormatError
from leadline.store.durable import replacing, writing
from leadline.store.lines import Record, seal, unseal

PLAN = "plan.json"


def write_plan(directory: str | Path, plan: Mapping[str, Any], run: str) -> None:
    """Writes `plan` of the `run` with that id beside its journal in `directory`, durably.

    MachineError: the disk is full.
    """
    with replacing(Path(directory) / PLAN) as temporary, writing(temporary):
        temporary.write_bytes(seal({"id": run, **plan}, indent=1))


def read_plan(directory: str | Path, run: str) -> Record | None:
    """What write_plan wrote; None where there is none.

    RecordError: it is damaged, or not of the `run` with that id.
    """
    path = Path(directory) / PLAN
    try:
        plan = unseal(read_plain(path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise bad_plan(directory, f"can't be read: {error.strerror}") from None
    except FormatError as problem:
        raise bad_plan(directory, str(problem)) from None
    if plan.pop("id", "") != run:
        raise bad_plan(directory, "is of another run")
    return plan


def bad_plan(directory: str | Path, problem: str) -> RecordError:
    """The RecordError for a plan that has the `problem`."""
    return RecordError(
        str(Path(directory) / PLAN),
        None,
        f"{problem}, so this run can't go on; what was measured is in the journal and can still "
        "be read. Start another run, or put a whole copy of the file in its place",
    )
