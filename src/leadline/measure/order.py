"""What is asked of a campaign, and the words for it that every room takes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leadline.errors import UsageError
from leadline.hosts.placement import THIS_HOST, Hosts
from leadline.kernels.patterns import Pattern, PatternChoice, parse_choice
from leadline.measure.variants import VariantSpec
from leadline.record.run import Buffers, Cadence

DEFAULT_SIZES = (0, 8, 104, 512, 1024, 4096, 10_000, 32_768, 65_536, 262_144, 1_048_576, 2_000_000)
"""Powers of two and sizes between them; two lie in 1..2 MB for the intercept's regression."""
SLICE_PATIENCE_S = 20.0
START_PATIENCE_S = 60.0


MOST_SPINNING = 64
"""Processes of --load on a core: ranks beside more get nothing done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a campaign is to measure, over what, how, and for how long."""

    patterns: tuple[str, ...]
    """With their options, e.g. "allreduce:max"; only kernels know which there are."""
    sizes: tuple[int, ...] = DEFAULT_SIZES
    sizes_asked: bool = False
    """Whether a user named them: each that a pattern doesn't take is then told."""
    ranks: tuple[int, ...] = (2,)
    root: int = 0
    """Of patterns with a fixed one."""
    backends: tuple[str, ...] = ()
    """Names or paths of compiler wrappers; empty, and no variants: every usable one."""
    variants: tuple[VariantSpec, ...] = ()
    wrappers: tuple[str, ...] = ()
    """Paths of MPI compiler wrappers beside those that are found."""
    buffers: Buffers = Buffers.ECHO
    cadence: Cadence | None = None
    """None: each pattern's own."""
    per_operation: bool = False
    """One repetition per batch, for tails."""
    all_ranks: bool = False
    """Whether the batches of all ranks are kept, however many, and not the slowest one's alone."""
    budget_s: float = 60.0
    budget_kept: bool = False
    """Whether it ends a campaign that has no intervals yet, as one that the user stated does."""
    precision: float = 0.02
    """Relative half width of all intervals at which sampling stops before the budget is spent."""
    blocks: int | None = None
    """So many exactly; the budget then only says how often a block visits its cells."""
    bind: bool = True
    """Whether each rank is bound to a core."""
    cores: tuple[int, ...] = ()
    """Of each host, in the order in which ranks take them; empty: all that may be used."""
    hosts: Hosts = THIS_HOST
    launcher: str | None = None
    """Who starts ranks, of hosts.schedulers.LAUNCHERS; None: a scheduler in its allocation, else
    the libraries' own."""
    link_bound: float | None = None
    """Bytes a second that each link between the hosts allows, 0: as its interface says; its use is
    then measured, and may let ranks above the core count into verdicts. None: it isn't."""
    load: int | None = 0
    """Spinning processes beside the ranks; None: one a core."""
    patience_s: float = SLICE_PATIENCE_S
    """How long a slice of small messages may take before a rank counts as hung."""
    start_patience_s: float = START_PATIENCE_S
    """How long launches may take until all of their ranks are there."""
    seed: int = 0

    @property
    def slowest_link(self) -> float:
        """Bytes a second that the slowest of the links between the hosts allows, where known."""
        link = self.hosts.link
        known = [self.link_bound or math.inf, link.payload_bits_per_s / 8 if link else math.inf]
        return min(known)

    @property
    def link_delay_s(self) -> float:
        """What a message between the hosts waits beside its time on the link, where known."""
        return self.hosts.link.delay_s if self.hosts.link else 0.0

    def choices(self, patterns: Mapping[str, Pattern]) -> tuple[PatternChoice, ...]:
        """The patterns, each once, now that it is known which there are; UsageError: no such."""
        choices = [
            parse_choice(text, patterns).rooted_at(self.root, patterns) for text in self.patterns
        ]
        return tuple(dict.fromkeys(choices))

    def loaded(self, cores: Sequence[int]) -> tuple[int, ...]:
        """The core of each spinning process: the ranks' `cores` in turn; UsageError: too many."""
        number = len(cores) if self.load is None else self.load
        most = MOST_SPINNING * len(cores)
        if number > most:
            raise UsageError(
                f"--load {number}: at most {MOST_SPINNING} processes spin on a core, "
                f"{MOST_SPINNING} x {len(cores)} = {most}; give fewer"
            )
        return tuple(cores[i % len(cores)] for i in range(number))
