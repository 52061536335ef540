"""Front-ends that have ended, by what they noted in the state folder."""

from __future__ import annotations

import json
from pathlib import Path

from leadline.hosts.cleanup.notes import forget, note, records

NAME = "leadline-launch-x12345"


def folder(at: Path, name: str = NAME) -> Path:
    made = at / name
    made.mkdir()
    (made / "output").touch()
    return made


def ended(of: Path, launch: str = "", *pids: int) -> Path:
    """The record of a process that noted this down and is no more: its number is another's."""
    before = set(records().glob("*.json"))
    noted = note(of, launch, ("planted-",), ("a-launchs-own",))
    noted.know_processes(pids)
    (record,) = set(records().glob("*.json")) - before or before
    content = json.loads(record.read_text())
    content["notes"] = content["notes"][-1:]
    content["owner"]["process"]["started"] -= 1
    forget(noted)
    planted = records() / "planted.json"
    planted.write_text(json.dumps(content))
    return planted
