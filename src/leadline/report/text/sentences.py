"""The sentences below a table: who is faster where, what a library costs over raw memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from leadline.backends.kinds import title_of
from leadline.compare.curves import Comparison, Curve
from leadline.compare.pairs import NO_REGRESSION, REGRESSION
from leadline.compare.ranking import Crossing, Lead
from leadline.compare.taxes import Tax
from leadline.compare.verdict import Verdict
from leadline.report.text.phrases import factor, faster, in_words, share, where
from leadline.statistics.estimate import Estimate
from leadline.units import format_size

DECIDED = (Verdict.FASTER, Verdict.SLOWER)


def leads_sentence(
    leads: Sequence[Lead], threshold: float, several: bool, sizes: Collection[int] = ()
) -> str:
    """E.g. "a is 2.6 (2.5 to 2.7) times faster than b up to 512 B; no difference shown ...".

    `several`: more than two take part, so that "no difference" needs to name its two. `sizes` were
    measured, perhaps more than the leads have.
    """
    ends = [*sizes, *(size for lead in leads for size in _ends(lead))]
    smallest, largest = min(ends), max(ends)
    parts: list[str] = []
    before = None
    for lead in leads:
        place = where(lead.range.first_bytes, lead.range.last_bytes, smallest, largest)
        now = _in_order(lead.baseline, lead.candidate, lead.range.verdict)
        decided = lead.range.verdict in DECIDED
        parts.append(_lead_words(lead, threshold, now != before if decided else several) + place)
        before = now if decided else None
    sentence = "; ".join(parts) + "."
    nameless = sentence.startswith(("no difference", "equal within"))
    return sentence[0].upper() + sentence[1:] if nameless else sentence


def _lead_words(lead: Lead, threshold: float, named: bool) -> str:
    verdict, effect = lead.range.verdict, lead.range.effect
    pair = f"{lead.baseline} and {lead.candidate}"
    if verdict is Verdict.UNDECIDED:
        return f"no difference shown{f' between {pair}' if named else ''}"
    if verdict is Verdict.SAME:
        return f"{f'{pair} are ' if named else ''}equal within {share(threshold)}"
    if named:
        return _advantage(lead.baseline, lead.candidate, effect, verdict)
    return _times_faster(effect, verdict)


def curve_sentence(curve: Curve, threshold: float, named: bool) -> str:
    """One candidate against its baseline, over all sizes; "" where the curve doesn't count.

    `named`: say who is meant also where there is no difference.
    """
    whole = curve.whole
    leads = [Lead(whole.baseline, whole.candidate, found) for found in curve.ranges]
    if not leads:
        return ""
    sizes = [cell.size_bytes or 0 for cell in curve.cells]
    partial = not all(cell.counted for cell in curve.cells)
    first = leads_sentence(leads, threshold, named, sizes)
    return " ".join([first, *whole_sentences([whole], leads, partial)])


def whole_sentences(
    wholes: Sequence[Comparison], leads: Sequence[Lead], partial: bool = False
) -> list[str]:
    """What shows over all sizes together, or between others, where no lead shows anything.

    `partial`: some sizes don't count.
    """
    if any(lead.range.verdict in DECIDED for lead in leads):
        return []
    several = len({size for lead in leads for size in _ends(lead)}) > 1
    begin = f"All sizes{' that count' * partial} together: " if several else ""
    return [
        f"{begin}{_advantage(whole.baseline, whole.candidate, whole.effect, whole.verdict)}."
        for whole in wholes
        if whole.verdict in DECIDED
    ]


def _ends(lead: Lead) -> tuple[int, int]:
    return lead.range.first_bytes, lead.range.last_bytes


def _advantage(baseline: str, candidate: str, ratio: Estimate, verdict: Verdict) -> str:
    """E.g. "a is 2.6 (2.5 to 2.7) times faster than b"."""
    winner, loser = _in_order(baseline, candidate, verdict)
    return f"{winner} is {_times_faster(ratio, verdict)} than {loser}"


def _times_faster(ratio: Estimate, verdict: Verdict) -> str:
    times = faster(ratio, verdict)
    return f"{times.value} ({times.bounds}) times faster"


def _in_order(baseline: str, candidate: str, verdict: Verdict) -> tuple[str, str]:
    """The faster one first."""
    return (candidate, baseline) if verdict is Verdict.FASTER else (baseline, candidate)


def tax_sentence(taxes: Sequence[Tax]) -> str:
    """E.g. "Library tax over raw shared memory at 8 B: openmpi 1.4x (1.3 to 1.5), ...".

    A sentence for each raw transport; "" without taxes.
    """
    kinds = dict.fromkeys(tax.raw for tax in taxes)
    return " ".join(_tax_over(kind, [tax for tax in taxes if tax.raw == kind]) for kind in kinds)


def _tax_over(kind: str, taxes: Sequence[Tax]) -> str:
    sizes = {tax.size_bytes for tax in taxes}
    at = f" at {format_size(min(sizes))}" if sizes != {0} else ""
    costs = ", ".join(f"{tax.variant} {cost(tax.effect)}" for tax in taxes)
    return f"Library tax over {title_of(kind)}{at}: {costs}."


def cost(ratio: Estimate) -> str:
    """E.g. "1.4x (1.3 to 1.5)", "3.5x" without an interval."""
    times = in_words(ratio)
    if times is not None:
        return f"{times.value}x ({times.bounds})"
    return "unknown" if ratio.known is None else f"{factor(ratio.known)}x"


def crossing_sentence(crossing: Crossing) -> str:
    """E.g. "a and b cross at about 45,000 B, between 32 KiB and 64 KiB."."""
    found = crossing.where
    return (
        f"{crossing.baseline} and {crossing.candidate} cross at about "
        f"{format_size(round(found.size_bytes))}, between {format_size(found.below_bytes)} and "
        f"{format_size(found.above_bytes)}."
    )


def conclusion(status: int) -> str:
    """What the exit status of a comparison means."""
    if status == NO_REGRESSION:
        return "No regression."
    if status == REGRESSION:
        return "Regression: something is slower than its baseline."
    return "Nothing is slower, but more than a tenth of the cells are undecided: measure longer."
