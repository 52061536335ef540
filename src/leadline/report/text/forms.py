"""The closed forms that a report on a run shows unasked, and how to get those that it doesn't."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline.models.coefficients import least_sum
from leadline.models.fitted import Overview
from leadline.models.model import Model
from leadline.report.document import Section
from leadline.report.text.fitted import fitted_sections
from leadline.report.text.phrases import plural


def form_sections(forms: Overview) -> Iterator[Section]:
    """Tables and sentences; nothing of what was refused."""
    yield from fitted_sections(forms.models)
    notes = list(_doubts(forms.found))
    if forms.left_out:
        pairs = f"{forms.left_out:,} {'more ' * bool(forms.found)}pairs of pattern and variant"
        notes += [
            f"{pairs} aren't fitted here: `leadline fit RUN` fits all, --pattern P some of them."
        ]
    if notes:
        yield Section("closed forms", notes=tuple(notes))


def _doubts(models: Sequence[Model]) -> Iterator[str]:
    """That forms of fewer blocks than intervals take are no findings, and what gives it away."""
    few = [one for one in models if not one.has_intervals and one.blocks]
    if few:
        numbers = sorted({one.blocks for one in few})
        several = f"{numbers[0]} to " * (len(numbers) > 1)
        below = ", and start-ups below nought that they are not" * any(map(_is_below, few))
        yield (
            f"Forms of {several}{plural(numbers[-1], 'block')} have no intervals: nothing tells "
            f"how sure they are{below}. Measure six blocks or more before you go by them."
        )


def _is_below(model: Model) -> bool:
    """Whether a start-up of some piece is less than nought."""
    pieces = [piece for _, each in model.pieces for piece in each]
    return any(least_sum(piece, model.ranks, per_byte=False) < 0 for piece in pieces)
