"""A run's metadata, typed: those of every format are read, and written as they were."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from harness.places import DATA

import leadline
from leadline.record.machine import HostFacts
from leadline.record.provenance import ImportedFile, PlanFacts, Provenance, Sends, StudyFacts

PACKAGE = Path(leadline.__file__).parent
STORED: dict[str, Any] = {
    "leadline": "0.1.0",
    "started": "2026-01-02T03:04:05+0000",
    "options": {"patterns": "pingpong", "budget": None},
    "machine": HostFacts(host="node1", allowed_cpus=(0, 1)).as_json(),
    "plan": {"blocks": 8, "slice_s": 0.01, "launches": {"2 ranks": 3}, "together": False},
    "study": {"name": "shared-memory", "missing": {"pvm": "apt-get install pvm"}},
}


def test_metadata_are_read_typed() -> None:
    found = Provenance.of(STORED)
    assert found.machine.host == "node1"
    assert found.plan == PlanFacts(8, 0.01, {"2 ranks": 3}, together=False)
    assert found.study == StudyFacts("shared-memory", {"pvm": "apt-get install pvm"})
    assert (found.leadline, found.started) == ("0.1.0", "2026-01-02T03:04:05+0000")


def test_metadata_are_written_as_they_were_read_in_the_same_order() -> None:
    written = Provenance.of(STORED).as_json()
    assert written == STORED
    assert list(written) == list(STORED)


def test_imported_runs_have_files_and_no_plan() -> None:
    stored = {"leadline": "0.1.0", "imported": [{"file": "osu.txt", "format": "osu"}]}
    found = Provenance.of(stored)
    assert found.imported == (ImportedFile("osu.txt", "osu"),)
    assert (found.plan, found.started, found.options) == (None, None, {})
    assert found.as_json() == stored


@pytest.mark.parametrize("nonsense", [None, 5, "x", [], [5], {}, True])
def test_nonsense_is_unknown_and_no_error(nonsense: object) -> None:
    found = Provenance.of(dict.fromkeys((*STORED, "imported", "sends"), nonsense))
    assert found.machine == HostFacts()
    assert found.plan in (None, PlanFacts())
    assert (found.imported, found.sends) == ((), ())


def test_damaged_number_of_messages_is_none() -> None:
    stored = {"pattern": "exchange", "ranks": "four", "all_ranks": None, "busiest_rank": 2}
    (found,) = Provenance.of({"sends": [stored, 5]}).sends
    assert found == Sends("exchange", 0, 0, 2, in_pairs=False)


def test_background_load_is_stored_among_the_facts_of_the_machine() -> None:
    stored = {"machine": STORED["machine"] | {"background_load": "2 spinning"}}
    found = Provenance.of(stored)
    assert found.background_load == "2 spinning"
    assert found.as_json() == stored


def test_what_another_version_stored_is_kept() -> None:
    assert Provenance.of({"command": ["run"]}).as_json() == {"command": ["run"]}


@pytest.mark.parametrize("journal", sorted(DATA.glob("format-*/journal.jsonl")), ids=str)
def test_metadata_of_every_format_are_readable(journal: Any) -> None:
    metadata = json.loads(journal.read_text().splitlines()[0])["metadata"]
    found = Provenance.of(metadata)
    assert found.machine.cores == metadata.get("machine", {}).get("cores")
    assert len(found.imported) == len(metadata.get("imported", ()))


# -- nobody else spells its keys -------------------------------------------------------------------


def spells_a_key(source: str) -> bool:
    """Whether it looks into some `metadata` by the name of a key."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case (
                ast.Subscript(value=looked_into)
                | ast.Call(func=ast.Attribute(value=looked_into, attr="get"))
            ):
                if getattr(looked_into, "attr", getattr(looked_into, "id", "")) == "metadata":
                    return True
    return False


def test_metadata_are_looked_into_here_alone() -> None:
    for path in PACKAGE.rglob("*.py"):
        if path.parent.name != "record" and path.name != "install.py":  # that of wheels
            assert not spells_a_key(path.read_text()), f"{path}: take Run.provenance"


@pytest.mark.parametrize("source", ["run.metadata['plan']", "metadata.get('machine', {})"])
def test_a_key_spelled_elsewhere_is_found(source: str) -> None:
    assert spells_a_key(source)
