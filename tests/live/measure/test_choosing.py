"""What launches would choose each for itself is chosen once, of real ones too.

What a trial launch decides, tests/unit/measure/test_scripted_transports.py says.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from harness.kernels import variant
from tests.support.campaigns import plan_for, run_campaign

from leadline.kernels.connections import Connection
from leadline.kernels.messages import Hello
from leadline.measure.launch import Launch

VARIABLE = "LEADLINE_SINGLE_COPY"


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What each rank calls its library, as they say hello."""
    messages: list[str] = []
    join = Launch.join

    def heard(launch: Launch, connection: Connection, hello: Hello) -> None:
        messages.append(hello.library)
        join(launch, connection, hello)

    monkeypatch.setattr(Launch, "join", heard)
    return messages


def test_all_launches_of_a_campaign_copy_alike_and_the_run_says_how(
    tmp_path: Path, libraries: list[str]
) -> None:
    variants = [variant("shm"), variant("shm", "again")]
    plan = plan_for(variants, "pingpong", (8,), 3)
    groups = tuple(replace(group, launches=2) for group in plan.groups)
    run, _ = run_campaign(tmp_path / "run", variants, replace(plan, groups=groups))
    assert len(libraries) >= 2 * (1 + 3 * 2)
    assert len(set(libraries)) == 1
    found = re.search(r"single copy: (.*)\)", libraries[0])
    assert found is not None
    assert [one.environment for one in run.configurations] == [{VARIABLE: found[1]}] * 2
    assert [run.as_asked(one).environment for one in run.configurations] == [{}] * 2


@pytest.mark.parametrize("exported", [True, False])
def test_what_users_set_counts_as_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exported: bool
) -> None:
    told = variant("shm") if exported else variant("shm", LEADLINE_SINGLE_COPY="none")
    if exported:
        monkeypatch.setenv(VARIABLE, "none")
    run, _ = run_campaign(tmp_path / "run", [told], plan_for([told], "pingpong", (8,), 1))
    (found,) = run.configurations
    assert dict(run.as_asked(found).environment) == {VARIABLE: "none"}
    assert run.provenance.inherited == ({VARIABLE: "none"} if exported else {})
