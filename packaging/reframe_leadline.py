"""A check of ReFrame's: measures the latency, and is a failure where it is shown to be slower.

reframe -c packaging/reframe_leadline.py -r --performance-report
"""

from __future__ import annotations

import json
from pathlib import Path

import reframe
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ
from reframe.core.builtins import performance_function, run_after, sanity_function, variable

UNDECIDED = (
    "undecided: not shown to be slower, nor not to be; the conclusion above says what would help; "
    "this fails the check by -S undecided_fails=yes alone"
)


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
    between = variable(str, value="10%")
    """How far runs here lie apart where nothing was changed, for `leadline compare --between`;
    "": as four such runs or more beside `before` show."""
    undecided_fails = variable(typ.Bool, value=False)
    """Whether exit status 3 of `leadline compare`, nothing slower and too little decided, fails."""
    executable = "leadline"

    @run_after("init")
    def _words(self) -> None:
        words = f"run --backends {self.backend} --patterns pingpong --sizes 8 --out run"
        self.executable_opts = [*words.split(), "--budget", self.budget]
        self.postrun_cmds = ["leadline show run --json > show.json"]
        if self.before:
            between = f" --between {self.between}" if self.between else ""
            self.postrun_cmds += [
                f"leadline compare {self.before} run{between}",
                'compared=$?; echo "compared, exit status $compared"',
                f'[ "$compared" -ne 3 ] || echo "{UNDECIDED}"',
            ]

    @sanity_function
    def _whole_and_not_slower(self) -> object:
        whole = sn.assert_true(self._shown()["complete"], "the run isn't complete")
        if not self.before:
            return whole
        said = sn.extractsingle(r"compared, exit status (\d+)", self.stdout, 1)
        ended = int(sn.evaluate(said))
        bad = {1: "it became slower", 3: "nothing is decided" if self.undecided_fails else ""}
        why = "" if ended == 0 else bad.get(ended, f"it couldn't be compared: exit status {ended}")
        return sn.all([whole, sn.assert_false(why, why)])

    @performance_function("us")
    def latency(self) -> float:
        """Half a round trip of 8 B."""
        return float(self._shown()["rows"][0]["median_s"]) * 1e6

    def _shown(self) -> dict[str, list[dict[str, float]]]:
        found: dict[str, list[dict[str, float]]] = json.loads(
            Path(self.stagedir, "show.json").read_text()
        )
        return found
