"""A check of ReFrame's: measures the latency, and is a failure where it became slower.

reframe -c packaging/reframe_leadline.py -r --performance-report
"""

from __future__ import annotations

import json
from pathlib import Path

import reframe
import reframe.utility.sanity as sn
from reframe.core.builtins import performance_function, run_after, sanity_function, variable


@reframe.simple_test
class LeadlineLatency(reframe.RunOnlyRegressionTest):
    """The ping-pong of a library, with a verdict against a run of another day, if one is named."""

    descr = "latency, measured by Leadline"
    valid_systems = ["*"]  # noqa: RUF012
    valid_prog_environs = ["*"]  # noqa: RUF012
    local = True  # it starts the ranks itself; inside of a job by the job's launcher
    backend = variable(str, value="shm")
    """As `leadline doctor` calls it: -S backend=mpich."""
    budget = variable(str, value="20s")
    before = variable(str, value="")
    """An absolute path to a run that it is held to: -S before=PATH."""
    executable = "leadline"

    @run_after("init")
    def _words(self) -> None:
        words = f"run --backends {self.backend} --patterns pingpong --sizes 8 --out run"
        self.executable_opts = [*words.split(), "--budget", self.budget]
        self.postrun_cmds = ["leadline show run --json > show.json"]
        if self.before:
            self.postrun_cmds += [
                f"leadline compare {self.before} run",
                'echo "compared, exit status $?"',
            ]

    @sanity_function
    def _whole_and_not_slower(self) -> object:
        whole = sn.assert_true(self._shown()["complete"], "the run isn't complete")
        slower = sn.assert_not_found("compared, exit status 1", self.stdout, "it became slower")
        return sn.all([whole, slower])

    @performance_function("us")
    def latency(self) -> float:
        """Half a round trip of 8 B."""
        return float(self._shown()["rows"][0]["median_s"]) * 1e6

    def _shown(self) -> dict[str, list[dict[str, float]]]:
        found: dict[str, list[dict[str, float]]] = json.loads(
            Path(self.stagedir, "show.json").read_text()
        )
        return found
