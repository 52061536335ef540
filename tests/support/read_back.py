"""Reads what reports print, and holds it to the numbers that it was printed from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from leadline.cli.outcome import computed
from leadline.compare.analysis import Analysis
from leadline.compare.curves import Comparison
from leadline.compare.pairs import REGRESSION
from leadline.compare.ranking import Ranking
from leadline.compare.verdict import Verdict
from leadline.record.run import Run
from leadline.report.document import Section
from leadline.report.text.comparison import Compared, comparison_document
from leadline.report.text.run import run_document
from leadline.report.text.sentences import reason
from leadline.units import format_size, parse_size

NUMBER = r"[\d,]+(?:\.\d+)?"
NAME = r"(\w+(?: \([\w, ]+\))?)"
TIMES = rf"({NUMBER})(?: \(({NUMBER}) to ({NUMBER})\)| to ({NUMBER}))?"
PLACE = r"( at all sizes| over all sizes together| at [^;]+| up to [^;]+| from [^;]+)?"
PARTS = {
    "faster": re.compile(rf"(?:{NAME} is )?{TIMES} times faster(?: than {NAME})?{PLACE}"),
    "same": re.compile(
        rf"(?:(?:{NAME} and {NAME}|[Tt]he fastest two) are )?[Ee]qual within ({NUMBER}) %{PLACE}"
    ),
    "open": re.compile(rf"[Nn]ot decided(?: between {NAME} and {NAME})?{PLACE} \(([^()]*)\)"),
}


def read(text: str) -> float:
    return float(text.replace(",", ""))


def near(text: str, number: float) -> bool:
    """Whether that is what rounding leaves of the number."""
    decimals = len(text.partition(".")[2])
    return abs(read(text) - number) <= 0.51 * 10.0**-decimals


def sizes_of(place: str, sizes: Sequence[int]) -> list[int]:
    """The sizes measured that a place speaks of."""
    words = place.strip()
    if words in ("", "at all sizes"):
        return list(sizes)
    first, last = min(sizes), max(sizes)
    if words.startswith("at "):
        first = last = parse_size(words[3:].replace(",", ""))
    elif words.startswith("up to "):
        last = parse_size(words[6:].replace(",", ""))
    else:
        begin, _, end = words.removeprefix("from ").removesuffix(" on").partition(" to ")
        first = parse_size(begin.replace(",", ""))
        last = parse_size(end.replace(",", "")) if end else last
    return [size for size in sizes if first <= size <= last]


def winner(row: Comparison) -> tuple[str, str]:
    pair = row.candidate, row.baseline
    return pair if row.verdict is Verdict.FASTER else pair[::-1]


def advantage(row: Comparison) -> float:
    assert row.ratio is not None
    return 1 / row.ratio if row.verdict is Verdict.FASTER else row.ratio


def check_ranges(
    sentence: str, rows: Sequence[Comparison], sizes: Sequence[int], threshold: float
) -> set[int]:
    """Each part of a sentence against the rows of the sizes it speaks of, which are returned."""
    told: set[int] = set()
    before: tuple[str, str] | None = None
    by_size = {row.size_bytes or 0: row for row in rows}
    for part in re.split(r"; (?![^()]*\))", sentence.removesuffix(".")):
        kind, match = next((k, m) for k, p in PARTS.items() if (m := p.fullmatch(part)))
        place = match[7] if kind == "faster" else match[4] if kind == "same" else match[3]
        mine = [by_size[size] for size in sizes_of(place or "", sizes)]
        assert mine and not told & {row.size_bytes or 0 for row in mine}, sentence
        told |= {row.size_bytes or 0 for row in mine}
        if kind == "faster":
            before = (match[1], match[6]) if match[1] else before
            assert {winner(row) for row in mine} == {before}, sentence
            assert {row.verdict for row in mine} <= {Verdict.FASTER, Verdict.SLOWER}
            numbers = sorted(map(advantage, mine))
            assert near(match[2], numbers[0]), sentence
            assert near(match[5] or match[2], numbers[-1]), sentence
            assert read(match[2]) > 1 + threshold, sentence
            continue
        before = None
        verdict = Verdict.SAME if kind == "same" else Verdict.UNDECIDED
        assert {row.verdict for row in mine} == {verdict}, sentence
        if match[1]:
            assert {(row.baseline, row.candidate) for row in mine} == {(match[1], match[2])}
        if kind == "open":
            assert match[4] == reason(mine, threshold)
    return told


def check_words(words: str, row: Comparison, threshold: float) -> None:
    """A cell of `compare`."""
    if row.ratio is not None:
        found = re.match(TIMES, words)
        assert found is not None and near(found[1], row.ratio), words
        check_bounds(found, row.low, row.high, (1 - threshold, 1 + threshold))
    assert words.endswith(("faster", "slower", "same")) == (row.verdict is not Verdict.UNDECIDED)
    assert ("not decided: " in words) == (row.verdict is Verdict.UNDECIDED), words
    if row.verdict is not Verdict.UNDECIDED:
        assert words.endswith(f" {row.verdict}")


def check_bounds(
    found: re.Match[str], low: float | None, high: float | None, margins: Iterable[float]
) -> None:
    if low is None or high is None:
        assert found[2] is None
        return
    assert near(found[2], low) and near(found[3], high)
    assert read(found[2]) <= read(found[1]) <= read(found[3])
    for margin in margins:
        for text, number in ((found[2], low), (found[3], high)):
            if abs(number / margin - 1) > 1e-8:
                assert (read(text) > margin) == (number > margin), found[0]
                assert (read(text) < margin) == (number < margin), found[0]


def check_top(words: str, row: Comparison, threshold: float) -> None:
    """A cell of the verdicts of `show`."""
    if row.ratio is None:
        assert words == f"not decided: {reason([row], threshold)}"
        return
    ahead = row.candidate if row.ratio < 1 else row.baseline
    assert words.startswith(ahead)
    number = re.search(rf"({NUMBER})x", words)
    assert number is not None
    inverse = row.ratio < 1
    assert near(number[1], 1 / row.ratio if inverse else row.ratio), words
    if row.verdict in (Verdict.FASTER, Verdict.SLOWER):
        assert winner(row)[0] == ahead and "x faster" in words, words
        assert read(number[1]) > 1 + threshold
    elif row.verdict is Verdict.SAME:
        assert words.endswith(", same")
    else:
        assert words.endswith(f"not decided: {reason([row], threshold)}"), words
    bounds = re.search(rf"\(({NUMBER}) to ({NUMBER})\)", words)
    assert (bounds is None) == (row.low is None)
    if bounds is not None and row.low is not None and row.high is not None:
        low, high = (1 / row.high, 1 / row.low) if inverse else (row.low, row.high)
        assert near(bounds[1], low) and near(bounds[2], high)
        assert not (bounds[1] == "0.0" or read(bounds[1]) == 0)


def check_order(sentence: str, ranking: Ranking) -> None:
    """Whoever stands before another is shown to be faster over all sizes."""
    listed = sentence.removesuffix(".").partition(": ")[2].split("; ")
    apart = re.compile(", not (all )?told apart$")
    groups = [re.split(", | and ", apart.sub("", one)) for one in listed]
    won = {winner(one) for one in ranking.wholes if one.verdict in ("faster", "slower")}
    for place, tier in enumerate(groups):
        for later in groups[place + 1 :]:
            assert all((a, b) in won for a in tier for b in later), sentence


def check_overtaking(sentence: str, rows: Sequence[Comparison]) -> None:
    """The table above it has the one ahead at the one size, the other at the other."""
    found = re.fullmatch(
        rf"{NAME} overtakes {NAME} between (.+?) and (.+?)(?:, at (.+) \((.+) to (.+)\))?\.",
        sentence,
    )
    assert found is not None, sentence
    below, above = (parse_size(found[i].replace(",", "")) for i in (3, 4))
    for top in rows:
        if top.size_bytes in (below, above) and top.verdict in ("faster", "slower"):
            assert winner(top)[0] == found[2 if top.size_bytes == below else 1], sentence
    if found[5]:
        point, low, high = (rough(found[i]) for i in (5, 6, 7))
        assert low <= point <= high
        assert below <= high * 1.06 and low <= above * 1.06, sentence


def rough(text: str) -> float:
    number, unit = text.split()
    return read(number) * {"B": 1, "KiB": 2**10, "MiB": 2**20}[unit]


def check_run(run: Run, threshold: float) -> None:
    analysis = Analysis(run)
    measured = computed(analysis, threshold)
    document = run_document(measured)
    assert all("nan" not in text and "inf" not in text for text in texts(document))
    rankings = {one.curve.pattern: one for one in measured.rankings.curves}
    for section in document:
        ranking = rankings.get(section.heading.split(" · ")[0])
        if ranking is not None and section.table is not None and "verdict" in section.table.columns:
            check_ranking(section, ranking, threshold)


def check_ranking(section: Section, ranking: Ranking, threshold: float) -> None:
    assert section.table is not None
    column = section.table.columns.index("verdict")
    by_name = {row[0]: row[column] for row in section.table.rows}
    sizes = [parse_size(n.replace(",", "")) if n != "-" else 0 for n in by_name]
    for top in ranking.top:
        check_top(by_name[next(n for n in by_name if _is(n, top))], top, threshold)
    told, *others = section.notes
    assert check_ranges(told, ranking.top, sizes, threshold) == {
        top.size_bytes for top in ranking.top
    }
    for note in others:
        if "fastest first" in note:
            check_order(note, ranking)
        elif " overtakes " in note:
            check_overtaking(note, ranking.top)
        else:
            assert re.match(r"All sizes|\w+ is |Library overhead", note), note


def _is(name: str, row: Comparison) -> bool:
    return name in ("-", format_size(row.size_bytes or 0))


def texts(document: Iterable[Section]) -> Iterable[str]:
    for section in document:
        yield section.heading
        yield from section.notes
        for row in section.table.rows if section.table else ():
            yield from row


def check_comparison(compared: Compared) -> None:
    document = comparison_document(compared)
    assert all("nan" not in text and "inf" not in text for text in texts(document))
    curves = compared.result.curves
    tables = [section for section in document if section.table is not None]
    for section in tables:
        assert section.table is not None
        for place, curve in enumerate(curves, start=1):
            for row, line in zip(curve.cells, section.table.rows, strict=False):
                assert _is(line[0], row)
                check_words(line[place], row, compared.threshold)
        overtaking = [note for note in section.notes if " overtakes " in note]
        assert len(overtaking) == sum(len(curve.crossings) for curve in curves)
        for note, whose in zip(overtaking, (c for c in curves for _ in c.crossings), strict=True):
            check_overtaking(note, whose.cells)
        told = [note for note in section.notes if note not in overtaking]
        for note, curve in zip(told, [c for c in curves if c.ranges], strict=False):
            sizes = [row.size_bytes or 0 for row in curve.cells]
            counted = [row for row in curve.cells if row.counted]
            first = re.split(r"(?<=[\w)])\. (?=All sizes)", note)[0]
            check_ranges(first, counted, sizes, compared.threshold)
    (output,) = next(one.notes for one in document if one.heading == "conclusion")
    slower = [row for row in compared.result.counted if row.verdict is Verdict.SLOWER]
    wholes = [c.whole for c in curves if c.whole.verdict is Verdict.SLOWER]
    assert output.startswith("Regression: ") == (compared.result.exit_status == REGRESSION)
    assert output.startswith("Regression: ") == bool(slower or wholes)
    if slower:
        assert f"{slower[0].baseline} in pingpong (2 ranks)" in output
