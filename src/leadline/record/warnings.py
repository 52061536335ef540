"""Warnings about measurements: every kind once, with its code, when it applies and its remedy.

Also the former spelling of codes, and groups of codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique


@dataclass(frozen=True, slots=True)
class RunWarning:
    """A warning as data: every output shows the same code, cause and remedy."""

    code: str
    cause: str
    remedy: str


@unique
class WarningKind(Enum):
    """A kind of warning: when it applies, and its remedy, which may have {fields}.

    Its code is its name in lower case: part of JSON output and of stored runs.
    """

    # -- the machine and the libraries on it
    LOAD = (
        "other processes keep more than a quarter of the cores busy",
        "measure when nothing else runs; otherwise expect wider intervals",
    )
    CORES = ("only one core may be used", "allow more cores")
    CPU_QUOTA = (
        "the control group gets less time than it has cores, so ranks are paused",
        "lift the quota (cpu.max)",
    )
    PINNING = ("processes can't be bound to cores", "measure with --bind none")
    CLOCK = ("reading the clock enters the kernel", "boot with tsc")
    GOVERNOR = (
        "cores change their frequency while measuring",
        "cpupower frequency-set -g performance",
    )
    SHARED_MEMORY = (
        "/dev/shm is nearly full, or small",
        "mount it larger (in a container: --shm-size=1g)",
    )
    TRANSPORT = (
        "a library didn't send the same way throughout, so what carried its messages isn't known",
        "see that /dev/shm has room for all launches, and measure again",
    )
    LINK_BUCKETS = (
        "an emulated link is shaped by the kernel's token buckets, for it is faster than the "
        "switch in user space serves",
        "rates of large messages hold; times of small ones are too short, for a bucket that is "
        "full lets them pass at once: give a --link of a lower rate for these",
    )
    LINK_OFF = (
        "an emulated link was found to be over 5 % off what it is to be",
        "bring the hosts up when nothing else runs, or give a lower --link rate",
    )
    LINK_RIGHTS = (
        "the switch between emulated hosts wasn't granted a place ahead of other processes, or "
        "memory that stays where it is",
        "expect frames that are late; grant it CAP_SYS_NICE and CAP_IPC_LOCK, as root has them "
        "outside of containers",
    )
    LINK_UNCHECKED = (
        "nothing could tell what an emulated link achieves",
        "install iperf3, and see that two hosts reach each other",
    )
    BACKEND = ("a library that is there, or could be, can't be used", "{install}")

    # -- the plan: what is left out, or measured otherwise than asked for
    ABSENT = (
        "a pattern makes no sense over a backend",
        "nothing to do: other backends, if any, are measured",
    )
    SIZE_DROPPED = (
        "a pattern doesn't take a size: too small, or no multiple of what its elements take",
        "give --sizes that suit, e.g. {size}",
    )
    SIZE_TOO_LARGE = (
        "a library counts in int and can't send a size in one message",
        "use a library with large counts (MPI 4.0)",
    )
    BUDGET = (
        "the budget doesn't suffice for all sizes and patterns",
        "give a larger --budget",
    )
    FEW_FOR_TESTS = (
        "the budget doesn't suffice for as many blocks as tests over all cells need",
        "give --budget {budget} or fewer --sizes; else a clear difference may stay undecided",
    )
    TOO_FEW_RANKS = ("a pattern needs two ranks", "give --ranks 2 or more")
    ODD_RANKS = (
        "a pattern needs pairs of ranks",
        "give an even number of --ranks",
    )
    GRID_RANKS = (
        "a pattern's grid hasn't a vertex for each rank",
        "give as many --ranks as the grid has vertices, or other lengths",
    )
    RANKS_NO_POWER = (
        "an application divides its problem in halves, among a power of two of ranks",
        "give --ranks 1, 2, 4, 8 or another power of two",
    )
    TOO_MANY_RANKS = (
        "an application's problem can't be divided among so many ranks",
        "give fewer --ranks, or a larger class of the problem",
    )
    PROBLEM_TOO_LARGE = (
        "memory has no room for an application's problem",
        "give a smaller class of it, or free memory",
    )
    SUCCESSIVE = (
        "an application's repetitions follow each other, so they can't begin at a common deadline",
        "measure it with --cadence streaming",
    )
    NO_NEIGHBOURS = (
        "a pattern's grid has length 1 along all axes that its messages go along",
        "give a length above 1 there",
    )
    NO_GRID = (
        "a variant with a map has nothing to lay in a pattern without a grid",
        "nothing to do: variants without a map measure it, and simulated ranks keep their order",
    )
    NO_GAIN = (
        "no placement was found that makes a map's metric smaller than ranks in their order do",
        "expect equal times; give more --hosts or another grid",
    )
    BUFFERS_BOUND = (
        "an operation is prepared for its buffers, which then can't be cold",
        "measure it with --buffers echo or separate",
    )
    OVERSUBSCRIBED = (
        "there are more ranks, or threads of them, than cores",
        "take fewer ranks; these numbers are part of no verdict, unless --link-bound shows that a "
        "link between hosts was the limit",
    )
    INTERLEAVED = (
        "memory has no room for all variants at the same time",
        "give smaller --sizes or fewer --backends, so that all fit in memory together",
    )
    # -- the campaign: launches that aren't as they should be
    BUILD = (
        "a backend is left out because its kernel can't be built",
        "mend its compiler wrapper; see leadline doctor",
    )
    LAUNCHER = (
        "a backend is left out because the scheduler's launcher can't start its ranks",
        "give --launcher own, or get what the launcher misses (srun --mpi=list says what it has)",
    )
    BINDING = (
        "a rank isn't on the core that it was to be bound to",
        "check that the launcher doesn't bind ranks itself, or measure with --bind none",
    )
    VERSION = (
        "the library that was loaded isn't of the version recorded",
        "mend LD_LIBRARY_PATH, or give the compiler wrapper of that library by --mpicc",
    )
    UNAUTHENTICATED = (
        "connections to the control channel were refused, for no rank that was awaited made them",
        "nothing to do for this run: what they said isn't in it; see who connects to this host's "
        "ports, or which launches outlived their campaign",
    )
    BACKGROUND_LOAD = (
        "--load kept cores busy beside the ranks",
        "compare with runs under the same --load alone",
    )

    # -- the record: what is missing from it
    INCOMPLETE = (
        "a campaign was interrupted",
        "finish it with --resume; where it was simulated, simulate the rest",
    )
    HOST_DOWN = (
        "a host went down while a campaign needed it",
        "go on with --resume when all hosts are back; what had been measured is kept",
    )
    TORN_LINE = (
        "the last line of a journal was cut short and is removed",
        "nothing to do: at most one slice is lost",
    )
    JOURNAL_LINE = (
        "a line of a journal can't be read",
        "what it held is left out; measure again if that was needed",
    )
    PARQUET = (
        "the batches of a finished run are damaged, its journal is not",
        "remove {file}: the journal has everything",
    )
    JOURNAL = (
        "the journal of a finished run can't be read, its tables are whole",
        "put {file} back: without it nothing can be added to the run",
    )
    OTHER_RUN = (
        "a file in the directory of a run is another run's",
        "left out; move {file} to where its own run is",
    )
    UNREADABLE = (
        "a run among others can't be read",
        "left out; mend it as its message says, or move it away",
    )
    NO_LOCK = (
        "the file system has no flock",
        "start no second campaign into it",
    )
    ZERO = (
        "another benchmark printed a time as nought",
        "left out; let the benchmark print more digits",
    )
    NO_COST = (
        "a simulated machine charges nothing for what a pattern does",
        "left out; give the machine's file a rate for it, such as compute.bytes_per_s",
    )
    FREE_COMPUTING = (
        "a simulated machine charges nothing for an application's operations, or for the bytes "
        "that it reads and writes",
        "give the machine's file both compute.flop_per_s and compute.bytes_per_s: without, times "
        "may be too short and shares of communication too large",
    )
    TOO_LONG = (
        "what is simulated takes 73 years or more, which no run can state",
        "left out; give smaller --sizes, or a machine with higher rates",
    )
    SIMULATOR = (
        "a simulator hasn't got what a machine's file says",
        "read it with that in mind, or ask `leadline simulate`, which has all of the file",
    )
    UNSIMULATED = (
        "what a pattern does can't be simulated: it ends in a deadlock, or takes too much memory",
        "left out; what else was asked for is simulated",
    )
    REPETITIONS = (
        "an imported file has several values at a point",
        "nothing to do: their median is taken, without an interval, for repetitions are no blocks",
    )
    OTHER_METRICS = (
        "an imported file has metrics that are no times",
        "left out; call what is a time in seconds time",
    )
    MEAN_OF_RANKS = (
        "a form is fitted to means over ranks, as OSU's collectives and nccl-tests print them",
        "read them as the least: programs wait for the slowest rank, whose time `leadline run`, or "
        "IMB, tells",
    )

    # -- rows: what weakens a value
    FEW_BLOCKS = (
        "there are fewer blocks than a 95 % interval, or the test beside it, needs",
        "measure at least {blocks} blocks: a larger --budget or --blocks {blocks}",
    )
    FEW_CLEAN_BLOCKS = (
        "enough blocks were measured for a 95 % interval, but too few of them count",
        "quieten the machine, or take fewer ranks: more blocks of it may be lost as well",
    )
    NO_TIME = (
        "a cell was measured and none of its batches counts, so it has no time and no row",
        "quieten the machine or take fewer ranks, and measure again",
    )
    LATE_STARTS = (
        "more than a quarter of the operations had a rank that missed the deadline",
        "quieten the machine or take fewer ranks",
    )
    DISTURBED = (
        "in more than a quarter of the slices a rank waited for a core, though it was taken again; "
        "or in all of a block for most of the time, so that it doesn't count",
        "measure when nothing else runs on the ranks' cores; what was disturbed counts less",
    )
    CORE_STATES = (
        "the ranks' cores were in two states, in one of which they hand a cache line over three "
        "times as slowly, and the run's times are of the slower one or lack over a quarter of a "
        "cell's visits",
        "compare with runs in the same state alone, or measure again: on virtual cores the state "
        "changes by itself",
    )
    APART = (
        "more than a quarter of the batches that were to contend didn't run at the same time",
        "quieten the machine; what is left is over the other batches",
    )
    UNSETTLED = (
        "more than a quarter of the launches hadn't settled when warming up had to end",
        "quieten the machine or take fewer ranks; if the library never settles, --per-operation "
        "shows how single operations vary",
    )
    CLOCKS = (
        "hosts' clocks were further apart than 2 % of an operation's time when it was to begin on "
        "all of them at once",
        "measure when nothing else runs; if that doesn't help, see that clocks are disciplined "
        "(chrony), or take --cadence streaming",
    )
    CLOCK_BOUND = (
        "reading the clock takes over 2 % of what is timed at once, over a library",
        "for differences of nanoseconds time many operations at once: isolated ones by --cadence "
        "streaming, those of --per-operation by leaving it out",
    )
    LINK_BOUND = (
        "there are more ranks than cores, but a link was the limit, so the cell counts",
        "nothing to do where the rate is the link's own; fewer ranks need no such proof",
    )
    LINK_RATE = (
        "what a link allows isn't known, or it carried more than that",
        "state its rate, e.g. --link-bound 1Gbit, or measure larger --sizes",
    )
    IMPORTED = (
        "values are another benchmark's, without batches",
        "for intervals and verdicts import repetitions, or measure with `leadline run`",
    )
    REPEATED = (
        "values are another benchmark's, each of its outputs a block",
        "make each output by a launch of its own, those of two sides in turn; `leadline run` does",
    )
    SIMULATED = (
        "values are a simulation's",
        "for verdicts hold what `leadline run` measures to them: compare --against-model; how near "
        "machines that come along are to published figures: docs/benchmarks.md",
    )
    PREDICTED = (
        "values are a model's",
        "for verdicts hold what `leadline run` measures to them: compare --against-model",
    )
    EXTRAPOLATED = (
        "a prediction lies outside of the sizes or numbers of ranks that its model was fitted to",
        "measure there, and fit again: nothing shows that the form goes on",
    )

    # -- the health of hosts
    UNDECIDED_HOSTS = (
        "the budget ended before all hosts were certainly slower than tolerated, or certainly not",
        "give a larger --budget; what can be said of them is in the bounds",
    )
    SILENT_PAIRS = (
        "launches over pairs of hosts came to nothing, too few to say which host it is by",
        "see why in the rounds' runs, by 'leadline show'; repeat it, with a larger --budget",
    )

    # -- traces
    NO_MESSAGES = (
        "a pattern was traced and sent nothing",
        "nothing to do: it stays in the memory of its ranks",
    )

    # -- comparisons and histories: what weakens them
    UNPAIRED = (
        "two runs are compared that weren't alive together",
        "measure both in one run: leadline run --against RUN",
    )
    HIDDEN_DIFFERENCE = (
        "what is compared differs in more than what is under study",
        "measure both with the same {what}, or mean to study it",
    )
    UNMATCHED_CELLS = (
        "cells are in one of two runs only",
        "measure both runs with the same options",
    )
    NOT_COMPARED = (
        "a side lacks a curve or a variant, or runs have nothing in common",
        "measure the same in both; failures of the run that lacks it may say why it does",
    )
    UNDATED = (
        "a run doesn't say when it was started, so it has no place in a history",
        "say when by leadline import --date, or compare them by leadline compare",
    )
    NOT_COMPARABLE = (
        "no other run has a curve at the same sizes and settings, its cores in the same state",
        "measure with the same options on the same machine, or choose --sizes that all runs have",
    )
    AUTOCORRELATION = (
        "blocks of two that are compared lean on the ones before them, so that they tell less than "
        "as many would",
        "measure when nothing else runs, or more blocks (a larger --budget); verdicts allow for "
        "it, but not wholly where blocks lean strongly",
    )
    DRIFT = (
        "runs of a series lie near those before them, so that they tell less than as many would",
        "nothing to do: changes are held against it; more runs, or more time between them, help",
    )
    FEW_RUNS = (
        "a series has fewer runs than can show a change",
        "measure more often, with the same options",
    )

    def __init__(self, when: str, remedy: str) -> None:
        """Keeps the two halves of a member's value."""
        self.when = when
        self.remedy = remedy

    @property
    def code(self) -> str:
        """Its name in outputs and stored runs."""
        return self.name.lower()

    def because(self, cause: str, **fields: object) -> RunWarning:
        """The warning of this kind for `cause`; `fields` are filled into the remedy."""
        return RunWarning(self.code, cause, self.remedy.format(**fields))


FORMER_CODES = {
    "buffers-bound": "buffers_bound",
    "handover": "core_states",
    "journal-line": "journal_line",
    "leaning": "autocorrelation",
    "no-lock": "no_lock",
    "nought": "zero",
    "odd-ranks": "odd_ranks",
    "size-dropped": "size_dropped",
    "strangers": "unauthenticated",
    "too-few-ranks": "too_few_ranks",
    "torn-line": "torn_line",
}
"""Former codes in stored runs -> codes of today, to which readers translate them."""

UNMEASURED = frozenset(
    kind.code
    for kind in (
        WarningKind.BUILD,
        WarningKind.LAUNCHER,
        WarningKind.TOO_LONG,
        WarningKind.UNSIMULATED,
    )
)
"""Codes of what was asked for and possible, but was left out altogether."""


DAMAGE = frozenset(
    kind.code
    for kind in (
        WarningKind.JOURNAL_LINE,
        WarningKind.JOURNAL,
        WarningKind.OTHER_RUN,
        WarningKind.PARQUET,
        WarningKind.UNREADABLE,
    )
)
"""Codes of incomplete records."""


def restored(code: str, cause: str, remedy: str) -> RunWarning:
    """A stored warning, its code as it is spelled today."""
    return RunWarning(FORMER_CODES.get(code, code), cause, remedy)
