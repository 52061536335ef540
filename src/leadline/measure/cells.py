"""Which cells a request comes to, and which variants can measure each.

That depends on what a campaign may use: what kernels can do, cores, memory; and on what the
problems of applications take, in time and memory. Pure: nothing is started.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from leadline.backends.kinds.kind import PROCESS_BYTES
from leadline.errors import UsageError
from leadline.hosts.cores import Seating, Site, seated
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.kernels.description import Capability
from leadline.measure.spec import Request
from leadline.patterns.pattern import Pattern, PatternChoice, Problem, cell_of
from leadline.record.run import Buffers, Cadence, Cell
from leadline.record.warnings import RunWarning, WarningKind, warning_of
from leadline.units import format_size


@dataclass(frozen=True, slots=True)
class Resources:
    """What a plan depends on: the machine and the variants on it."""

    capabilities: Mapping[str, Capability]
    """What kernels can do, by variant."""
    startup_s: float
    """Time from starting a launch of every variant, together, until all are ready."""
    sites: tuple[Site, ...]
    """The site of each host."""
    memory_bytes: int
    cache_bytes: int | None
    """Size of the last-level cache; None: not known."""
    hosts: Hosts = THIS_HOST
    carriers: Mapping[str, str] = field(default_factory=dict)
    """The variant in whose launches each is measured, by variant; empty: all have their own."""
    maps: Mapping[str, str] = field(default_factory=dict)
    """The map of each variant that has one, by variant."""
    process_bytes: int = PROCESS_BYTES
    """What a rank of any variant needs besides its messages, at least."""
    bytes_per_s: Mapping[str, float] = field(default_factory=dict)
    """What the variants' libraries move of large messages at least, of those that are slow."""
    raw: Collection[str] = ()
    """The variants of raw backends, which are limits and no competitors."""

    simulated: bool = False
    """Whether the ranks of all variants are, whatever cores there are."""

    @property
    def launched(self) -> int:
        """How many variants have launches of their own."""
        return len(set(self.carriers.values())) or len(self.capabilities)

    @property
    def patterns(self) -> dict[str, Pattern]:
        """Every pattern that some variant has, as the first of them describes it."""
        found: dict[str, Pattern] = {}
        for capability in self.capabilities.values():
            found = dict(capability.patterns) | found
        return found

    def seating(self, ranks: int, threads: int = 1) -> Seating:
        """The cores on which so many ranks of so many threads sit."""
        return seated(self.hosts.spread(self.sites, ranks), threads)


MOST_CELLS = 50_000
"""Cells of a request, at most; more are a typing error."""
MOST_NAMED = 8
"""Sizes that a sentence names one by one."""


@dataclass(frozen=True, slots=True)
class PlannedCell:
    """One cell and the variants that can measure it."""

    choice: PatternChoice
    pattern: Pattern
    cell: Cell
    variants: tuple[str, ...]

    @property
    def problem(self) -> Problem | None:
        """What an application solves; None: the pattern is none."""
        return self.choice.problem(self.pattern)

    def unsuited(self, ranks: int) -> WarningKind | None:
        """Why so many ranks can't take part; None: they can."""
        if self.problem is not None:
            return self._undivided(self.problem, ranks)
        if ranks < max(self.pattern.participants, 2 * self.pattern.in_pairs):
            return WarningKind.TOO_FEW_RANKS
        if self.pattern.in_pairs and ranks % 2:
            return WarningKind.ODD_RANKS
        if self.choice.dims and math.prod(self.choice.dims) != ranks:
            return WarningKind.GRID_RANKS
        if self.pattern.axes:
            dims = self.choice.dims or (ranks,)  # the first axis of an unknown grid is its longest
            if max(dims[: self.choice.axes_along(self.pattern)]) <= 1:
                return WarningKind.TOO_FEW_RANKS if ranks == 1 else WarningKind.NO_NEIGHBOURS
        return None

    def _undivided(self, problem: Problem, ranks: int) -> WarningKind | None:
        """Why an application's problem can't be divided among so many."""
        application = self.pattern.application
        if application and application.powers_of_two and ranks.bit_count() != 1:
            return WarningKind.RANKS_NO_POWER
        return WarningKind.TOO_MANY_RANKS if ranks > problem.most_ranks else None

    def message_bytes(self, ranks: int) -> int:
        """Bytes that one repetition moves from or to a rank, at most."""
        blocks = self.choice.blocks(self.pattern, ranks) * self.pattern.messages_in_flight
        return self.cell.size_bytes * blocks

    def memory_bytes(self, ranks: int) -> int:
        """Memory that such a message takes in a rank."""
        return math.ceil(self.message_bytes(ranks) * self.pattern.stretch)


@dataclass(frozen=True, slots=True)
class PlannedSlice:
    """What is measured next: one cell under one configuration, in one visit of a block."""

    planned: PlannedCell
    variant: str
    configuration: int
    block: int
    visit: int

    def __str__(self) -> str:
        """The slice as messages of failures name it."""
        size = f", {self.planned.cell.size_bytes} B" * bool(self.planned.pattern.granularity)
        return f"{self.variant}, {self.planned.choice.label}{size}"


def planned_cells(
    request: Request, resources: Resources, purpose: str = "measure"
) -> tuple[list[PlannedCell], list[RunWarning]]:
    """The request's cells, and what is left out; UsageError where nothing is left to `purpose`."""
    cells, warnings = [], []
    lacking: dict[tuple[WarningKind, tuple[str, ...]], list[str]] = {}
    choices = request.choices(resources.patterns)
    _check_extent(request, choices, resources.patterns)
    for choice in choices:
        able: list[str] = []
        unable: dict[WarningKind, list[str]] = {WarningKind.ABSENT: [], WarningKind.NO_GRID: []}
        for variant, capability in resources.capabilities.items():
            pattern = capability.patterns.get(choice.name)
            if pattern is None or pattern.algorithm == "absent":
                unable[WarningKind.ABSENT].append(variant)
            elif variant in resources.maps and not pattern.axes:
                unable[WarningKind.NO_GRID].append(variant)
            else:
                able.append(variant)
        for kind, variants in unable.items():
            if variants:
                lacking.setdefault((kind, tuple(variants)), []).append(choice.label)
        if able:
            found, refused = _sized(request, resources, choice, able)
            cells += found
            warnings += refused
    absences = []
    for (kind, lacked), labels in lacking.items():
        absences.append(warning_of(kind, patterns=labels, variants=lacked))
    warnings = [*absences, *warnings]
    if not cells:
        raise UsageError(f"nothing to {purpose}: {with_remedies(warnings)}")
    return cells, warnings


def with_remedies(warnings: Sequence[RunWarning]) -> str:
    """Causes of `warnings`, then remedies, each once: for an error where they leave nothing."""
    causes, remedies = (
        "; ".join(dict.fromkeys(reasons))
        for reasons in (
            [warning.cause for warning in warnings],
            [warning.remedy for warning in warnings],
        )
    )
    return f"{causes} ({remedies})"


def _check_extent(
    request: Request, choices: Sequence[PatternChoice], patterns: Mapping[str, Pattern]
) -> None:
    """UsageError where the request comes to more than MOST_CELLS cells, or no pattern takes sizes.

    The latter only where a user asked for sizes.
    """
    numbers = (len(choices), len(request.sizes), len(request.ranks))
    if (cells := math.prod(numbers)) > MOST_CELLS:
        counted = zip(numbers, ("patterns", "sizes", "numbers of ranks"), strict=True)
        product = " x ".join(f"{number:,} {what}" for number, what in counted if number > 1)
        raise UsageError(
            f"{product} are {cells:,} cells; {MOST_CELLS:,} are the most that are planned: "
            "give fewer --sizes, --patterns or --ranks"
        )

    if not request.sizes_asked or any(patterns[choice.name].granularity for choice in choices):
        return
    labels = ", ".join(choice.label for choice in choices)
    why = f"{labels} {'has no size' if len(choices) == 1 else 'have no size'}"
    if all(choice.problem(patterns[choice.name]) for choice in choices):
        why = f"the problem's class says how large it is: {labels}"
    raise UsageError(f"--sizes {sizes_said(request.sizes)}: {why}; leave --sizes out")


def sizes_said(sizes: Sequence[int]) -> str:
    """Rising `sizes` in a sentence: each, or of many the first, the last and how many."""
    if len(sizes) <= MOST_NAMED:
        return ", ".join(map(format_size, sizes))
    return f"{format_size(sizes[0])} to {format_size(sizes[-1])} ({len(sizes):,} of them)"


def unsuited(cells: Sequence[PlannedCell], ranks: int) -> list[RunWarning]:
    """Which patterns of `cells` can't run with so many ranks, a warning for each reason.

    Patterns are shown with what bounds their ranks: an application's problem, or their grid.
    """
    names: dict[tuple[WarningKind, tuple[int, bool] | None], dict[str, None]] = {}
    for planned in cells:
        kind, label = planned.unsuited(ranks), planned.choice.label
        if kind is None:
            continue
        if planned.problem is not None and kind is WarningKind.TOO_MANY_RANKS:
            label += f" (at most {planned.problem.most_ranks:,})"
        elif planned.choice.dims:
            vertices = math.prod(planned.choice.dims)
            label += f" ({vertices:,} {'vertex' if vertices == 1 else 'vertices'})"
        taken = None
        if kind is WarningKind.TOO_FEW_RANKS:
            taken = max(planned.pattern.participants, 2), planned.pattern.in_pairs
        names.setdefault((kind, taken), {})[label] = None
    warnings = []
    for (kind, taken), labels in names.items():
        values: dict[str, object] = {"labels": tuple(labels), "ranks": ranks}
        if taken is not None:
            values["least"], values["in_pairs"] = taken
        warnings.append(warning_of(kind, **values))
    return warnings


def _sized(
    request: Request, resources: Resources, choice: PatternChoice, able: Sequence[str]
) -> tuple[list[PlannedCell], list[RunWarning]]:
    """The cells of one pattern that `able` variants have, and the sizes that are left out.

    A user is told of each size that was asked for. Nobody asked for the smallest ones that every
    request has: they go without a word, if any other is left.
    """
    pattern = resources.capabilities[able[0]].patterns[choice.name]
    if pattern.one_buffer and request.buffers == Buffers.COLD:
        return [], [warning_of(WarningKind.BUFFERS_BOUND, pattern=choice.label)]
    if pattern.application and request.cadence == Cadence.ISOLATED:
        return [], [warning_of(WarningKind.SUCCESSIVE, pattern=choice.label)]
    if pattern.granularity == 0:
        cell = cell_of(choice, pattern, 0, request.buffers, request.cadence)
        return [PlannedCell(choice, pattern, cell, tuple(able))], []
    cells, warnings = [], []
    sizes = [size for size in request.sizes if pattern.takes(size)]
    least_bytes = 0 if request.sizes_asked or not sizes else pattern.least_bytes
    left_out = [size for size in request.sizes if size >= least_bytes and not pattern.takes(size)]
    if left_out:
        warnings.append(_size_dropped(choice, pattern, left_out))
    for size in sizes:
        fitting = [v for v in able if size <= resources.capabilities[v].max_message_bytes]
        if fitting:
            cell = cell_of(choice, pattern, size, request.buffers, request.cadence)
            cells.append(PlannedCell(choice, pattern, cell, tuple(fitting)))
        if len(fitting) < len(able):
            unable = [variant for variant in able if variant not in fitting]
            warnings.append(warning_of(WarningKind.SIZE_TOO_LARGE, variants=unable, bytes=size))
    return cells, warnings


def _size_dropped(choice: PatternChoice, pattern: Pattern, sizes: Sequence[int]) -> RunWarning:
    """The warning that `sizes` are left out, for a rule as "8 B or more, multiples of 8 B"."""
    least = format_size(pattern.least_bytes) if pattern.least_bytes > 0 else None
    multiple = format_size(pattern.granularity) if pattern.granularity > 1 else None
    whole = sizes[0] - sizes[0] % pattern.granularity
    return warning_of(
        WarningKind.SIZE_DROPPED,
        pattern=choice.label,
        least=least,
        both=least is not None and multiple is not None,
        multiple=multiple,
        sizes=sizes_said(sizes),
        number=len(sizes),
        size=max(whole, pattern.granularity, pattern.least_bytes),
    )


USUAL_FLOP_PER_S = 4e9
"""Rate of a core that has nothing else to do: MG was seen to do 4.5e9, STAP 6.8e9. Slower ones take
longer, and the plan is revised after a block."""
SLOWEST_FLOP_PER_S = 2e7
"""Rate of all ranks together, at least, when the watchdog waits for those that share a core."""
FEWEST_REPETITIONS = 3
"""Repetitions of a slice, at least, however long one takes."""
WARMING_UP = 3
"""Repetitions before those that count, where a launch first meets a problem."""


def solving_s(problem: Problem, cores: int) -> float:
    """About how long a slice takes on so many cores, however short it is asked to be."""
    solutions = -(-FEWEST_REPETITIONS // problem.repetitions)
    repetitions = solutions * problem.repetitions + WARMING_UP
    return repetitions * problem.flop / (USUAL_FLOP_PER_S * cores)


def patience_s(problem: Problem | None) -> float:
    """Seconds that a slice may take beside a slice of messages before its ranks count as hung."""
    if problem is None:
        return 0.0
    repetitions = FEWEST_REPETITIONS * problem.repetitions + WARMING_UP
    return repetitions * problem.flop / SLOWEST_FLOP_PER_S


def with_room(
    cells: Sequence[PlannedCell], room_bytes: int
) -> tuple[list[PlannedCell], list[RunWarning]]:
    """The `cells` whose problems fit into `room_bytes`, and a warning for each other one."""
    fitting, warnings = [], []
    for planned in cells:
        needed_bytes = problem_bytes([planned])
        if needed_bytes <= room_bytes or not needed_bytes:
            fitting.append(planned)
            continue
        warnings.append(
            warning_of(
                WarningKind.PROBLEM_TOO_LARGE,
                pattern=planned.choice.label,
                needed_gb=needed_bytes / 1e9,
                room_gb=max(room_bytes, 0) / 1e9,
            )
        )
    return fitting, warnings


def problem_bytes(cells: Sequence[PlannedCell]) -> int:
    """Memory of the largest problem of `cells`, which one launch at a time has while measured."""
    problems = (planned.problem for planned in cells)
    return max((one.bytes for one in problems if one is not None), default=0)
