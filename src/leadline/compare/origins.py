"""Where values come from, and which of them compete: measured ones, and with each other alone.

What another benchmark printed, and what a simulation or a model says, is shown beside them under
its origin. It changes nothing in their verdicts, rankings, taxes, exit statuses and families of
tests. What another benchmark printed several times has verdicts against the like of it alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from leadline.record.caveats import Caveat, CaveatKind
from leadline.record.run import Configuration, Origin

MODELS = (Origin.SIMULATED, Origin.PREDICTED)
"""What can be taken at its word: nobody ran these, so nothing but a model's error is in them."""

NOT_MEASURED: Mapping[Origin, Caveat] = {
    Origin.IMPORTED: CaveatKind.IMPORTED.because(
        "values that another benchmark printed: nothing says how far they would differ another time"
    ),
    Origin.SIMULATED: CaveatKind.SIMULATED.because(
        "values of a simulation: the run doesn't say how far the machine would be from them"
    ),
    Origin.PREDICTED: CaveatKind.PREDICTED.because(
        "values that a model predicts: they are as good as the model, which others were fitted to"
    ),
}
"""What is to be said of values by their origin."""


REPEATED = CaveatKind.REPEATED.because(
    "each block is one output of another benchmark: what changed from launch to launch is in the "
    "intervals, but what changed between the launches of one side and of another is in the ratios"
)


def not_measured(origin: Origin, repeated: bool) -> Caveat | None:
    """What is to be said of values of this `origin`; None: nothing. `repeated`: more than once."""
    return REPEATED if repeated and origin is Origin.IMPORTED else NOT_MEASURED.get(origin)


def competes(configuration: Configuration) -> bool:
    """Whether its values take part in verdicts, rankings and taxes: they were measured."""
    return configuration.origin is Origin.MEASURED


def labelled(variant: str, origin: Origin) -> str:
    """What a variant is called among others, e.g. "mpich", "torus (simulated)"."""
    return variant if origin is Origin.MEASURED else f"{variant} ({origin})"


class Labelled:
    """Gives what belongs to a variant the name that it is shown under."""

    __slots__ = ()

    variant: str
    origin: Origin

    @property
    def label(self) -> str:
        """The variant, marked with its origin where it wasn't measured."""
        return labelled(self.variant, self.origin)


def in_run(label: str, run_name: str) -> str:
    """What that is called among those of several runs: "mpich (one)", "torus (simulated, one)"."""
    if label.endswith(")"):
        return f"{label[:-1]}, {run_name})"
    return f"{label} ({run_name})"
