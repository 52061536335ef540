"""What carries messages: found by trying where libraries choose, asked again where launches differ.

What a transport finds out by trying is found once for a campaign: each launch would find it out for
itself, beside others, and not always the same.

Libraries choose at every start. One that finds /dev/shm full sends another way, without a word and
many times as slowly; what was found before then says nothing of it.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, isfinite, log
from statistics import median

from leadline.backends.backend import UNKNOWN
from leadline.backends.kinds import KINDS, Kind
from leadline.kernels.server import ControlServer
from leadline.measure.launch import Launch
from leadline.measure.pool import LaunchPool
from leadline.measure.prepared import Prepared
from leadline.measure.slices import is_disturbed
from leadline.measure.spec import Variant
from leadline.measure.system import OPERATING_SYSTEM, System
from leadline.record.slices import Slice
from leadline.record.warnings import WarningKind, warning_of
from leadline.store import Journal

OTHER_KIND = 3.0
"""Ratio of times that shows another kind of transport. Sent through sockets instead of shared
memory, small messages take 16 times as long, large ones 2 to 4 times."""


class UsualTimes:
    """How long operations of each configuration's cells took, block by block."""

    def __init__(self) -> None:
        """Begins before the first block."""
        self._before: dict[tuple[int, int], list[float]] = {}
        """Medians of blocks, by configuration and cell."""
        self._now: dict[tuple[int, int], list[float]] = {}

    def add(self, configuration: int, cell: int, seconds: float) -> None:
        """Adds the time of an operation in the present block; ignored where it isn't known."""
        if isfinite(seconds) and seconds > 0:
            self._now.setdefault((configuration, cell), []).append(seconds)

    def end_block(self) -> dict[int, float]:
        """How many times as long the median cell took as in its median block, by configuration.

        Only for those that changed by OTHER_KIND. Cells count that were measured in a block before.
        """
        logs: dict[int, list[float]] = {}
        for key, seconds in self._now.items():
            before = self._before.setdefault(key, [])
            if before:
                logs.setdefault(key[0], []).append(log(median(seconds) / median(before)))
            before.append(median(seconds))
        self._now.clear()
        found = {configuration: median(values) for configuration, values in logs.items()}
        return {one: exp(value) for one, value in found.items() if abs(value) >= log(OTHER_KIND)}


def chosen(prepared: Prepared, system: System = OPERATING_SYSTEM) -> Prepared:
    """`prepared` with what its transports choose among its variants' settings.

    Left open are variants that say it themselves, and kinds whose ranks outnumber the cores in all
    groups, or don't start.
    """
    open_kinds = dict.fromkeys(v.backend.kind for v in prepared.variants if _is_open(v))
    found = {kind: _choice(prepared, KINDS[kind], system) for kind in open_kinds}
    variants = tuple(
        replace(variant, environment=dict(variant.environment) | _missing(variant, found))
        for variant in prepared.variants
    )
    settings = {
        after.name: _missing(before, found)
        for before, after in zip(prepared.variants, variants, strict=True)
    }
    specs = tuple(
        replace(spec, environment=(*spec.environment, *settings.get(spec.name, {}).items()))
        for spec in prepared.request.variants
    )
    return replace(prepared, variants=variants, request=replace(prepared.request, variants=specs))


def _is_open(variant: Variant) -> bool:
    trial = KINDS[variant.backend.kind].trial
    return trial is not None and trial.variable not in variant.environment


def _missing(variant: Variant, found: Mapping[str, str | None]) -> dict[str, str]:
    """Variables that `variant` needs for what was `found` for its kind."""
    trial, value = KINDS[variant.backend.kind].trial, found.get(variant.backend.kind)
    return {trial.variable: value} if trial and value and _is_open(variant) else {}


def _choice(prepared: Prepared, kind: Kind, system: System) -> str | None:
    """What a launch of the first variant of `kind`, alone, chooses; None: there is none.

    It is made in the first group that has such a variant, several ranks and a core for each. Where
    it fails the campaign will meet that again, and note it.
    """
    for group in prepared.plan.groups:
        alike = [v for v in prepared.variants_of(group) if v.backend.kind == kind.name]
        able = [variant for variant in alike if _is_open(variant)]
        if not able or group.ranks < 2 or group.oversubscribed:
            continue
        alone, numbers = replace(group, launches=1), itertools.count()
        with (
            ControlServer.listening(prepared.request.hosts.across_network, system.clock) as server,
            LaunchPool(prepared, server, alone, able[:1], numbers, system) as launch_pool,
        ):
            libraries = [launch.hellos[0].library for launch in launch_pool.launches]
        assert kind.trial is not None
        matches = [re.search(kind.trial.said, library) for library in libraries]
        return next((match[1] for match in matches if match), None)
    return None


MOST_ASKED = 3
"""Times that a variant is asked because it was slow: a machine can be slow for other reasons."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What was seen of a launch's shared memory when it was up."""

    short: bool
    """Whether /dev/shm had little room."""
    segments: bool
    """Whether its ranks map what their library makes there."""


class Transports:
    """The transports of a campaign's variants on this host, compared with what launches show.

    That is the memory that they share, and the times of their operations.
    """

    def __init__(
        self,
        prepared: Prepared,
        journal: Journal,
        configurations: Mapping[tuple[str, tuple[int, int]], int],
        system: System,
    ) -> None:
        """Looks how much room /dev/shm has to begin with.

        `configurations` has the index in the journal, by variant and group.
        """
        self.prepared, self.journal = prepared, journal
        self.configurations, self.system = configurations, system
        self._short = system.shared_memory_is_short()
        """When the transports were found."""
        self._first: dict[str, Sign] = {}
        """The sign of each variant's first launch."""
        self._agreed: set[tuple[str, Sign]] = set()
        """Signs under which a variant said the same again."""
        self._given_up: set[str] = set()
        """Variants that said another thing once: what carried their messages is unknown."""
        self._times = UsualTimes()
        self._asked = Counter[str]()
        """How often each variant was, for its times."""

    def check(self, launches: Sequence[Launch], block: int) -> None:
        """Asks the variants again whose `launches` show other signs than when they were asked.

        Where the answer is another one, what carried their messages is unknown, and a warning says
        both. Not of hosts, whose shared memory isn't seen from here.
        """
        short = self.system.shared_memory_is_short()
        for launch in launches:
            variant = next(v for v in self.prepared.variants if v.name == launch.label)
            if launch.note is None or not self._may_be_asked(variant):
                continue
            sign = Sign(short, bool(launch.note.segments))
            before = self._first.setdefault(variant.name, Sign(self._short, sign.segments))
            if sign == before or (variant.name, sign) in self._agreed:
                continue
            self._agreed.add((variant.name, sign))
            self._ask(
                variant, block=block + 1, short=bool(sign.short), segments=bool(sign.segments)
            )

    def took(self, taken: Slice, step_s: float) -> None:
        """Notes what operations took, unless other programs took cores from them.

        A batch of the slice follows the one before after `step_s` seconds.
        """
        if not is_disturbed(taken):
            self._times.add(taken.configuration, taken.cell, step_s / taken.repetitions)

    def end_block(self, block: int) -> None:
        """Asks the variants again whose times were of another kind in `block` than before."""
        factors = self._times.end_block()
        for variant in self.prepared.variants:
            own = [factors[one] for one in self._of(variant.name) if one in factors]
            if own and self._asked[variant.name] < MOST_ASKED and self._may_be_asked(variant):
                self._asked[variant.name] += 1
                self._ask(variant, silent=variant.transport, block=block + 1, factor=own[0])

    def _ask(self, variant: Variant, silent: str = UNKNOWN, **contradiction: float) -> None:
        """Asks `variant` again, whose transport is unknown where it says another one.

        Where it says none, that is taken for `silent`: a machine so busy that operations take
        several times as long may let no answer come either.
        """
        transport = self.system.transport_of(variant, self.prepared.job)
        now = silent if transport == UNKNOWN else transport
        if now == variant.transport:
            return
        for index in self._of(variant.name):
            self.journal.add_transport(index, UNKNOWN)
        self.journal.add_warning(
            warning_of(
                WarningKind.TRANSPORT,
                variant=variant.name,
                before=variant.transport,
                now=now,
                **contradiction,
            )
        )
        self._given_up.add(variant.name)

    def _of(self, name: str) -> list[int]:
        return [index for (one, _), index in self.configurations.items() if one == name]

    def _may_be_asked(self, variant: Variant) -> bool:
        """Whether its transport is known, and can be seen from this host."""
        seen = variant.simulated_on is None and not self.prepared.request.hosts.names
        return seen and variant.transport != UNKNOWN and variant.name not in self._given_up
