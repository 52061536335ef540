"""Origins of values, and which of them compete: measured values, and with each other alone.

Values that another benchmark printed, or that a simulation or a model gives, are shown beside them
under their origin. They change nothing in the verdicts, rankings, overheads, exit statuses and
families of tests of measured ones. Values that another benchmark printed several times have
verdicts against the same kind alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from leadline.record.run import Configuration, Origin
from leadline.record.warnings import RunWarning, WarningKind, warning_of

MODELS = (Origin.SIMULATED, Origin.PREDICTED)
"""Origins that can be taken as reference: no run stands behind them, only a model's error."""

NOT_MEASURED: Mapping[Origin, RunWarning] = {
    Origin.IMPORTED: warning_of(WarningKind.IMPORTED),
    Origin.SIMULATED: warning_of(WarningKind.SIMULATED),
    Origin.PREDICTED: warning_of(WarningKind.PREDICTED),
}
"""Warning for values of each origin."""


REPEATED = warning_of(WarningKind.REPEATED)


def not_measured(origin: Origin, repeated: bool) -> RunWarning | None:
    """Warning for values of this `origin`; None: none. `repeated`: several for each cell."""
    return REPEATED if repeated and origin is Origin.IMPORTED else NOT_MEASURED.get(origin)


def competes(configuration: Configuration) -> bool:
    """Whether its values take part in verdicts, rankings and overheads: they were measured."""
    return configuration.origin is Origin.MEASURED


def labelled(variant: str, origin: Origin) -> str:
    """Label of a variant among others, e.g. "mpich", "torus (simulated)"."""
    return variant if origin is Origin.MEASURED else f"{variant} ({origin})"


class Labelled:
    """Mixin with the label of what belongs to a variant."""

    __slots__ = ()

    variant: str
    origin: Origin

    @property
    def label(self) -> str:
        """The variant, marked with its origin where it wasn't measured."""
        return labelled(self.variant, self.origin)


def in_run(label: str, run_name: str) -> str:
    """Label among those of several runs: "mpich (one)", "torus (simulated, one)"."""
    if label.endswith(")"):
        return f"{label[:-1]}, {run_name})"
    return f"{label} ({run_name})"
