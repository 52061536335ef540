"""What tests remove is a killed launch's, and what they start ends, also where they fail."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from tests.support.leftovers import remove_launch, scratch_folders

from leadline.measure.system import SCRATCH


def test_a_launch_goes_with_the_folders_of_its_hosts() -> None:
    folder = Path(tempfile.mkdtemp(prefix=SCRATCH))
    of_host = folder.with_name(f"{folder.name}.t1")
    of_host.mkdir()
    (of_host / "hosts").touch()
    assert scratch_folders() >= {folder, of_host}
    remove_launch(folder)
    assert not scratch_folders() & {folder, of_host}


@pytest.mark.parametrize("name", ["", ".", "leadline-launch-x", f"{tempfile.gettempdir()}/other"])
def test_what_no_launch_made_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "somebody's").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError, match=re.escape(repr(str(Path(name))))):
        remove_launch(Path(name))
    assert [path.name for path in tmp_path.iterdir()] == ["somebody's"]
