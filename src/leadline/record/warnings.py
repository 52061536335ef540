"""Warnings about measurements: every kind once, with its code, when it applies, cause and remedy.

All English of warnings is here; whoever warns gives a kind and values. Stored runs have the text.
Also the former spelling of codes, and groups of codes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, unique

from leadline.record.templates import Sentence, fields_of, filled


@dataclass(frozen=True, slots=True)
class RunWarning:
    """A warning as data: every output shows the same code, cause and remedy."""

    code: str
    cause: str
    remedy: str

    def of(self, subject: str) -> RunWarning:
        """The warning with its `subject`, a side or a run, in front of the cause."""
        return replace(self, cause=f"{subject}: {self.cause}")


@unique
class WarningKind(Enum):
    """A kind of warning: when it applies, its cause and its remedy, templates with {fields}.

    A kind with several causes has that one whose fields are given. Its code is its name in lower
    case: part of JSON output and of stored runs.
    """

    # -- the machine and the libraries on it
    LOAD = (
        "other processes keep more than a quarter of the cores busy",
        "the load is {load} on {cores} cores",
        "measure when nothing else runs; otherwise expect wider intervals",
    )
    CORES = (
        "only one core may be used",
        "only one core may be used: two ranks take turns",
        "allow more cores",
    )
    CPU_QUOTA = (
        "the control group gets less time than it has cores, so ranks are paused",
        "the control group may use {quota} of {cores} cores: ranks are paused",
        "lift the quota (cpu.max)",
    )
    PINNING = (
        "processes can't be bound to cores",
        "processes can't be bound to cores here",
        "measure with --bind none",
    )
    CLOCK = (
        "reading the clock enters the kernel",
        "reading the clock {clock} enters the kernel",
        "boot with tsc",
    )
    GOVERNOR = (
        "cores change their frequency while measuring",
        "the frequency governor is {governor}: cores change speed while measuring",
        "cpupower frequency-set -g performance",
    )
    SHARED_MEMORY = (
        "/dev/shm is nearly full, or small",
        "/dev/shm has {left} left, large messages may want more",
        "mount it larger (in a container: --shm-size=1g)",
    )
    TRANSPORT = (
        "a library didn't send the same way throughout, so what carried its messages isn't known",
        (
            "{variant} was found to send by {before}, and by {now} later: when block {block} "
            "began, /dev/shm had {short:little|enough} room, and its ranks {segments:map files "
            "of theirs there|have nothing there}",
            "{variant} was found to send by {before}, and by {now} later: in block {block} its "
            "operations took {factor:.2g} times as long as before",
        ),
        "see that /dev/shm has room for all launches, and measure again",
    )
    LINK_BUCKETS = (
        "an emulated link is shaped by the kernel's token buckets, for it is faster than the "
        "switch in user space serves",
        "the link {link} is faster than the switch can be",
        "rates of large messages hold; times of small ones are too short, for a bucket that is "
        "full lets them pass at once: give a --link of a lower rate for these",
    )
    LINK_OFF = (
        "an emulated link was found to be over 5 % off what it is to be",
        (
            "TCP achieves {share:.0f %} of the payload rate of {link}",
            "frames are late by {share:.0f %} of a full frame's time at the median",
        ),
        "bring the hosts up when nothing else runs, or give a lower --link rate",
    )
    LINK_RIGHTS = (
        "the switch between emulated hosts wasn't granted a place ahead of other processes, or "
        "memory that stays where it is",
        "{refused}",
        "expect frames that are late; grant it CAP_SYS_NICE and CAP_IPC_LOCK, as root has them "
        "outside of containers",
    )
    LINK_UNCHECKED = (
        "nothing could tell what an emulated link achieves",
        "iperf3 is missing, or didn't get through",
        "install iperf3, and see that two hosts reach each other",
    )
    BACKEND = (
        "a library that is there, or could be, can't be used",
        "{backend}: {reason}",
        "{install}",
    )

    # -- the plan: what is left out, or measured otherwise than asked for
    ABSENT = (
        "a pattern makes no sense over a backend",
        "{patterns:join} {patterns:makes|make} no sense over {variants:join}",
        "nothing to do: other backends, if any, are measured",
    )
    SIZE_DROPPED = (
        "a pattern doesn't take a size: too small, or no multiple of what its elements take",
        "{pattern} takes {least:# or more|}{both:, |}{multiple:multiples of #|}: {sizes} "
        "{number:is|are} left out",
        "give --sizes that suit, e.g. {size}",
    )
    SIZE_TOO_LARGE = (
        "a library counts in int and can't send a size in one message",
        "{variants:join} can't send {bytes:size} in one message: its counts are int",
        "use a library with large counts (MPI 4.0)",
    )
    BUDGET = (
        "the budget doesn't suffice for all sizes and patterns",
        "{budget_s:g} s don't suffice for everything; left out: {left_out}",
        "give a larger --budget",
    )
    FEW_FOR_TESTS = (
        "the budget doesn't suffice for as many blocks as tests over all cells need",
        (
            "{budget_s:g} s have room for {blocks} blocks; it takes {needed} until a clear "
            "difference is sure to show among so many cells",
            "{blocks} block{blocks: was|s were} measured; it takes {needed} until a clear "
            "difference is sure to show among so many cells",
        ),
        "give --budget {budget} or fewer --sizes; else a clear difference may stay undecided",
    )
    TOO_FEW_RANKS = (
        "a pattern needs two ranks",
        (
            "{labels:join} can't run with {ranks} rank{ranks:|s}: {labels:it takes|they take} "
            "{least} or more{in_pairs:, an even number|}",
            "{cells:join}: nothing to send with {ranks} rank",
        ),
        "give --ranks 2 or more",
    )
    ODD_RANKS = (
        "a pattern needs pairs of ranks",
        "{labels:join} can't run with {ranks} rank{ranks:|s}: {labels:it takes|they take} an "
        "even number",
        "give an even number of --ranks",
    )
    GRID_RANKS = (
        "a pattern's grid hasn't a vertex for each rank",
        "{labels:join} can't run with {ranks} rank{ranks:|s}",
        "give as many --ranks as the grid has vertices, or other lengths",
    )
    RANKS_NO_POWER = (
        "an application divides its problem in halves, among a power of two of ranks",
        "{labels:join} can't run with {ranks} rank{ranks:|s}: {labels:it takes|they take} 1, 2, "
        "4, 8 or another power of two",
        "give --ranks 1, 2, 4, 8 or another power of two",
    )
    TOO_MANY_RANKS = (
        "an application's problem can't be divided among so many ranks",
        "{labels:join} can't run with {ranks} rank{ranks:|s}: problems can't be divided among so "
        "many",
        "give fewer --ranks, or a larger class of the problem",
    )
    PROBLEM_TOO_LARGE = (
        "memory has no room for an application's problem",
        "{pattern} needs about {needed_gb:.2g} GB on all ranks together, and {room_gb:.2g} GB "
        "may be used",
        "give a smaller class of it, or free memory",
    )
    SUCCESSIVE = (
        "an application's repetitions follow each other, so they can't begin at a common deadline",
        "repetitions of {pattern} follow each other, none can wait for a common start",
        "measure it with --cadence streaming",
    )
    NO_NEIGHBOURS = (
        "a pattern's grid has length 1 along all axes that its messages go along",
        "{labels:join} can't run with {ranks} rank{ranks:|s}: no rank has a neighbour along the "
        "axes of its messages",
        "give a length above 1 there",
    )
    NO_GRID = (
        "a variant with a map has nothing to lay in a pattern without a grid",
        (
            "{patterns:join} {patterns:has|have} no grid to lay: left out of {variants:join}",
            "{patterns:join} {patterns:has|have} no grid to lay: ranks in their order",
        ),
        "nothing to do: variants without a map measure it, and simulated ranks keep their order",
    )
    NO_GAIN = (
        "no placement was found that makes a map's metric smaller than ranks in their order do",
        "{variant}: no better placement of {pattern} on {machine} was found by {metric}, which "
        "is {before:g} with ranks in their order",
        "expect equal times; give more --hosts or another grid",
    )
    BUFFERS_BOUND = (
        "an operation is prepared for its buffers, which then can't be cold",
        "{pattern} is bound to its buffers, which can't rotate through cold memory",
        "measure it with --buffers echo or separate",
    )
    OVERSUBSCRIBED = (
        "there are more ranks, or threads of them, than cores",
        (
            "more ranks or threads than cores: the scheduler was measured along with the library",
            "{numbers:join} ranks share {cores} core{cores:|s}{hosts: of # hosts on |}{machines:# "
            "machine|# machines|}",
            "{ranks} ranks of {threads} thread{threads:|s} share {cores} core{cores:|s}{hosts: of "
            "# hosts on |}{machines:# machine|# machines|}",
        ),
        "take fewer ranks; these numbers are part of no verdict, unless --link-bound shows that "
        "a link between hosts was the limit",
    )
    INTERLEAVED = (
        "memory has no room for all variants at the same time",
        "{need}: variants take turns in random order, none beside another, which widens intervals",
        "give smaller --sizes or fewer --backends, so that all fit in memory together",
    )
    # -- the campaign: launches that aren't as they should be
    BUILD = (
        "a backend is left out because its kernel can't be built",
        "{variant} is left out: {error}",
        "fix its compiler wrapper; see leadline doctor",
    )
    LAUNCHER = (
        "a backend is left out because the scheduler's launcher can't start its ranks",
        "{variant} is left out: {error}",
        "give --launcher own, or get what the launcher misses (srun --mpi=list says what it has)",
    )
    BINDING = (
        "a rank isn't on the core that it was to be bound to",
        "{variant} with {ranks} ranks isn't bound as asked: {wrong}",
        "check that the launcher doesn't bind ranks itself, or measure with --bind none",
    )
    VERSION = (
        "the library that was loaded isn't of the version recorded",
        "{variant} is recorded as version {version}, but the library that was loaded calls "
        "itself {library!r}",
        "fix LD_LIBRARY_PATH, or give the compiler wrapper of that library by --mpicc",
    )
    UNAUTHENTICATED = (
        "connections to the control channel were refused, for no rank that was awaited made them",
        "the control channel refused {number} connection{number:|s}: {causes:join}",
        "nothing to do for this run: what they said isn't in it; see who connects to this host's "
        "ports, or which launches outlived their campaign",
    )
    BACKGROUND_LOAD = (
        "--load kept cores busy beside the ranks",
        "the tool itself kept cores busy beside the ranks: {load}",
        "compare with runs under the same --load alone",
    )

    # -- the record: what is missing from it
    INCOMPLETE = (
        "a campaign was interrupted",
        "a run was interrupted: later blocks are missing",
        "finish it with --resume; where it was simulated, simulate the rest",
    )
    HOST_DOWN = (
        "a host went down while a campaign needed it",
        "hosts went down: blocks with ranks on them are missing",
        "go on with --resume when all hosts are back; what had been measured is kept",
    )
    TORN_LINE = (
        "the last line of a journal was cut short and is removed",
        "{file}:{line} was cut short when the run was interrupted; its {length} bytes were removed",
        "nothing to do: at most one slice is lost",
    )
    JOURNAL_LINE = (
        "a line of a journal can't be read",
        (
            "{file}:{line}: {problem}",
            "{file}, {lines}: each {problem}",
        ),
        "what it held is left out; measure again if that was needed",
    )
    PARQUET = (
        "the batches of a finished run are damaged, its journal is not",
        "{problem}; the journal was read instead",
        "remove {file}: the journal has everything",
    )
    JOURNAL = (
        "the journal of a finished run can't be read, its tables are whole",
        "{file} can't be read: {problem}; the tables were read instead",
        "put {file} back: without it nothing can be added to the run",
    )
    OTHER_RUN = (
        "a file in the directory of a run is another run's",
        (
            "{file} is of another run",
            "{problem}; the journal was read instead",
            "{file} is of another run than {manifest} and the tables, which were read",
        ),
        "left out; move {file} to where its own run is",
    )
    UNREADABLE = (
        "a run among others can't be read",
        "{error}",
        "left out; fix it as its message says, or move it away",
    )
    NO_LOCK = (
        "the file system has no flock",
        "{file} can't be locked: its file system has no flock",
        "start no second campaign into it",
    )
    ZERO = (
        "another benchmark printed a time as zero",
        "{file}, {lines}: printed as zero, which is no measurement",
        "left out; let the benchmark print more digits",
    )
    NO_COST = (
        "a simulated machine charges nothing for what a pattern does",
        "{cells:join}: nothing of it costs time there",
        "left out; give the machine's file a rate for it, such as compute.bytes_per_s",
    )
    FREE_COMPUTING = (
        "a simulated machine charges nothing for an application's operations, or for the bytes "
        "that it reads and writes",
        "{patterns:join} on {machine}: {operations:operations|}{both: and |}{bytes:bytes read "
        "and written|} cost nothing",
        "give the machine's file both compute.flop_per_s and compute.bytes_per_s: without, times "
        "may be too short and shares of communication too large",
    )
    TOO_LONG = (
        "what is simulated takes 73 years or more, which no run can state",
        "{cells:join}: longer than a run can state",
        "left out; give smaller --sizes, or a machine with higher rates",
    )
    SIMULATOR = (
        "a simulator hasn't got what a machine's file says",
        "{variant}: {backend} hasn't got {lack}",
        "read it with that in mind, or ask `leadline simulate`, which has all of the file",
    )
    UNSIMULATED = (
        "what a pattern does can't be simulated: it ends in a deadlock, or takes too much memory",
        "{cells:join}: {error}",
        "left out; what else was asked for is simulated",
    )
    REPETITIONS = (
        "an imported file has several values at a point",
        "{file}: up to {most} values at a point",
        "nothing to do: their median is taken, without an interval, for repetitions are no blocks",
    )
    OTHER_METRICS = (
        "an imported file has metrics that are no times",
        "{file}: {metrics:join}",
        "left out; call what is a time in seconds time",
    )
    MEAN_OF_RANKS = (
        "a form is fitted to means over ranks, as OSU's collectives and nccl-tests print them",
        "its times are means over the ranks; the slowest one takes as long or longer",
        "read them as the least: programs wait for the slowest rank, whose time `leadline run`, "
        "or IMB, tells",
    )

    # -- rows: what weakens a value
    FEW_BLOCKS = (
        "there are fewer blocks than a 95 % interval, or the test beside it, needs",
        "{measured} block{measured:|s} can't support a 95 % interval",
        "measure at least {blocks} blocks: a larger --budget or --blocks {blocks}",
    )
    FEW_CLEAN_BLOCKS = (
        "enough blocks were measured for a 95 % interval, but too few of them count",
        "of {measured} blocks {counted} count, as ranks waited for a core in the others; an "
        "interval of 95 % takes {needed}",
        "quieten the machine, or take fewer ranks: more blocks of it may be lost as well",
    )
    NO_TIME = (
        "a cell was measured and none of its batches counts, so it has no time and no row",
        (
            "{variant}, {pattern}{sizes: at #|}, {ranks} rank{ranks:|s}: no batch was taken "
            "after warming up",
            "{variant}, {pattern}{sizes: at #|}, {ranks} rank{ranks:|s}: each of {batches:,} "
            "batches took less than the clock can tell",
            "{variant}, {pattern}{sizes: at #|}, {ranks} rank{ranks:|s}: none of {batches:,} "
            "batches counts: {lost:join}",
        ),
        "quieten the machine or take fewer ranks, and measure again",
    )
    LATE_STARTS = (
        "more than a quarter of the operations had a rank that missed the deadline",
        "{late} of {operations} operations had a rank that started late",
        "quieten the machine or take fewer ranks",
    )
    DISTURBED = (
        "in more than a quarter of the slices a rank waited for a core, though it was taken "
        "again; or in all of a block for most of the time, so that it doesn't count",
        "ranks waited for a core for over {share:.0f %} of the time in {disturbed} of {slices} "
        "slices{retaken:, though slices were taken again #|}{lost:; the median of one block "
        "doesn't count|; the medians of # blocks don't count|}",
        "measure when nothing else runs on the ranks' cores; what was disturbed counts less",
    )
    CORE_STATES = (
        "the ranks' cores were in two states, in one of which they hand a cache line over three "
        "times as slowly, and the run's times are of the slower one or lack over a quarter of a "
        "cell's visits",
        (
            "in each of {visits:,} visits some ranks' cores handed a cache line to and fro in "
            "{core_latency_ns:.0f} ns, at least {times:.0f} times what they took at best",
            "in {visits:,} of the run's visits ranks' cores handed a cache line to and fro in "
            "{core_latency_ns:.0f} ns, in {other_visits:,} in {other_ns:.0f} ns, {lacking:which "
            "count here, as this cell has none of the #|which don't count}",
        ),
        "compare with runs in the same state alone, or measure again: on virtual cores the state "
        "changes by itself",
    )
    APART = (
        "more than a quarter of the batches that were to contend didn't run at the same time",
        "in {apart} of {batches} batches ranks that were to contend ran apart",
        "quieten the machine; what is left is over the other batches",
    )
    UNSETTLED = (
        "more than a quarter of the launches hadn't settled when warming up had to end",
        "in {share:.0f %} of the launches that met the cell, times still changed or pages were "
        "still new when warming up had to end",
        "quieten the machine or take fewer ranks; if the library never settles, --per-operation "
        "shows how single operations vary",
    )
    CLOCKS = (
        "hosts' clocks were further apart than 2 % of an operation's time when it was to begin "
        "on all of them at once",
        "hosts' clocks were {residual_s:time} apart at the end of visits, {share:.0f %} of the "
        "time that is measured from a common beginning",
        "measure when nothing else runs; if that doesn't help, see that clocks are disciplined "
        "(chrony), or take --cadence streaming",
    )
    CLOCK_BOUND = (
        "reading the clock takes over 2 % of what is timed at once, over a library",
        "reading the clock takes {share:.0f %} of what is timed at once",
        "for differences of nanoseconds time many operations at once: isolated ones by --cadence "
        "streaming, those of --per-operation by leaving it out",
    )
    LINK_BOUND = (
        "there are more ranks than cores, but a link was the limit, so the cell counts",
        "more ranks or threads than cores, but a link carried at least {share:.0f %} of what its "
        "rate allows",
        "nothing to do where the rate is the link's own; fewer ranks need no such proof",
    )
    LINK_RATE = (
        "what a link allows isn't known, or it carried more than that",
        (
            "{link} doesn't say what it allows",
            "{link} carried {share:.0f %} of what its rate allows: the rate isn't the link's, or "
            "a burst was measured",
        ),
        "state its rate, e.g. --link-bound 1Gbit, or measure larger --sizes",
    )
    IMPORTED = (
        "values are another benchmark's, without batches",
        "values that another benchmark printed: nothing says how far they would differ another "
        "time",
        "for intervals and verdicts import repetitions, or measure with `leadline run`",
    )
    REPEATED = (
        "values are another benchmark's, each of its outputs a block",
        "each block is one output of another benchmark: what changed from launch to launch is in "
        "the intervals, but what changed between the launches of one side and of another is in "
        "the ratios",
        "make each output by a launch of its own, those of two sides in turn; `leadline run` does",
    )
    SIMULATED = (
        "values are a simulation's",
        "values of a simulation: the run doesn't say how far the machine would be from them",
        "for verdicts hold what `leadline run` measures to them: compare --against-model; how "
        "near bundled machines are to published figures: docs/benchmarks.md",
    )
    PREDICTED = (
        "values are a model's",
        "values that a model predicts: they are as good as the model, which others were fitted to",
        "for verdicts hold what `leadline run` measures to them: compare --against-model",
    )
    EXTRAPOLATED = (
        "a prediction lies outside of the sizes or numbers of ranks that its model was fitted to",
        (
            "{outside:,} of {number:,} predictions lie outside of the sizes or numbers of ranks "
            "that were fitted; they have no intervals",
            "{outside:,} of {number:,} predictions lie outside of the sizes or numbers of ranks "
            "that were fitted; intervals widen with the distance{without:; # of them has none|; "
            "# of them have none|}",
        ),
        "measure there, and fit again: nothing shows that the form goes on",
    )

    # -- the health of hosts
    UNDECIDED_HOSTS = (
        "the budget ended before all hosts were certainly slower than tolerated, or certainly not",
        "{number} host{number:|s} may be slower than tolerated: {hosts:join}",
        "give a larger --budget; what can be said of them is in the bounds",
    )
    SILENT_PAIRS = (
        "launches over pairs of hosts came to nothing, too few to say which host it is by",
        "nothing came of {number} of the pairs measured: {pairs:join}",
        "see why in the rounds' runs, by 'leadline show'; repeat it, with a larger --budget",
    )

    # -- traces
    NO_MESSAGES = (
        "a pattern was traced and sent nothing",
        "{cells:join}: no message was sent",
        "nothing to do: it stays in the memory of its ranks",
    )

    # -- comparisons and histories: what weakens them
    UNPAIRED = (
        "two runs are compared that weren't alive together",
        (
            "the two runs weren't alive together, and how far runs here lie apart where nothing "
            "was changed isn't known, neither by --between nor by four comparable runs beside "
            "the two: one pair of runs can't tell that from a change",
            "the two runs weren't alive together; intervals and verdicts allow for runs lying "
            "apart by {span} % (standard deviation, {runs:as # other runs here do|as # other runs "
            "here do|as stated})",
        ),
        "measure both in one run: leadline run --against RUN",
    )
    HIDDEN_DIFFERENCE = (
        "what is compared differs in more than what is under study",
        (
            "{whose}: {factor} {several:differ|differs} ({first}; {second}) and may be what the "
            "ratio shows",
            "the runs: inherited variables differ: {variables:join}, and may be what the ratio "
            "shows",
            "{network:join} sends through a network stack, {local:join} through shared memory",
        ),
        "measure both with the same {what}, or mean to study it",
    )
    UNMATCHED_CELLS = (
        "cells are in one of two runs only",
        "{cells} cells are in one run only (pattern, size, buffers or cadence) and left out",
        "measure both runs with the same options",
    )
    NOT_COMPARED = (
        "a side lacks a curve or a variant, or runs have nothing in common",
        (
            "{side} on {ranks} ranks{threads: of # threads|} is only in {run}",
            "{side} has no {pattern} on {ranks} ranks",
            "{error}",
        ),
        "measure the same in both; failures of the run that lacks it may say why it does",
    )
    UNDATED = (
        "a run doesn't say when it was started, so it has no place in a history",
        "runs that don't say when they were started are left out ({number})",
        "say when by leadline import --date, or compare them by leadline compare",
    )
    NOT_COMPARABLE = (
        "no other run has a curve at the same sizes and settings, its cores in the same state",
        "{curves} curves are left out: no other run has them at the same sizes and settings, its "
        "cores in the same state",
        "measure with the same options on the same machine, or choose --sizes that all runs have",
    )
    AUTOCORRELATION = (
        "blocks of two that are compared are correlated with the ones before them, so that they "
        "carry less information than as many independent ones",
        "{candidate} against {baseline}, {pattern} on {ranks} ranks: of what a block's ratio is "
        "off its level the next is off by {share:.0f %} (by chance in {chance:.1f %} of runs), "
        "so that intervals are {widening:.1f} times as wide",
        "measure when nothing else runs, or more blocks (a larger --budget); verdicts allow for "
        "it, but not wholly where blocks are strongly correlated",
    )
    DRIFT = (
        "runs of a series are correlated with those before them, so that they carry less "
        "information than as many independent ones",
        "{runs} runs drift: of what one is off its level the next is off by {share:.0f %}, so "
        "that they tell as much as {effective:.0f} would",
        "nothing to do: changes are compared with it; more runs, or more time between them, help",
    )
    FEW_RUNS = (
        "a series has fewer runs than can show a change",
        "{runs} comparable runs can't show a change, {needed} could",
        "measure more often, with the same options",
    )

    def __init__(self, when: str, causes: str | tuple[str, ...], remedy: str) -> None:
        """Keeps the parts of a member's value."""
        self.when = when
        self.causes = (causes,) if isinstance(causes, str) else causes
        self.remedy = remedy

    @property
    def code(self) -> str:
        """Its name in outputs and stored runs."""
        return self.name.lower()


def warning_of(kind: WarningKind, **values: object) -> RunWarning:
    """The warning of this kind, with `values` in its cause and its remedy.

    Raises:
        TypeError: no cause of the kind has these fields beside those of the remedy.
    """
    for cause in kind.causes:
        if fields_of(cause) | fields_of(kind.remedy) == values.keys():
            of_cause, of_remedy = (
                {name: values[name] for name in fields_of(template)}
                for template in (cause, kind.remedy)
            )
            return RunWarning(
                kind.code, filled(cause, **of_cause), filled(kind.remedy, **of_remedy)
            )
    raise TypeError(f"{kind.name} has no cause with the fields {', '.join(sorted(values))}")


# -- parts of warnings -----------------------------------------------------------------------------


@unique
class Remedy(Sentence):
    """Remedies in place of a kind's own, where more is known."""

    KNOWN_APART = "state --between SHARE, or measure four such runs beside the two"
    """Lets a pair of runs be decided."""
    ONLY_KNOWN_APART = (
        "state --between SHARE, or measure four such runs beside the two: longer ones don't help"
    )
    PAIRED = "settings that can be variants of one run are best measured in one; else nothing to do"
    STUDY_BUDGET = "give the study a larger --budget; else a clear difference may stay undecided"
    READABLE = "make {file} readable"
    KEEP = "keep {file}: the journal lacks lines too; put back whichever you have a copy of"


@unique
class Factor(Enum):
    """What differs between two that are compared: in the cause, and in the remedy."""

    LIBRARY = ("the build of its library", "library's build (report shows its whole text)")
    LAUNCHER = ("the ranks' launcher", "--launcher")
    STATE = (
        "core-to-core latency",
        "core-to-core latency (leadline run --against RUN measures both in one run)",
    )


@unique
class NotCounted(Sentence):
    """Why batches don't count, by the name of their flag."""

    LATE = "in {number:,} a rank started late"
    APART = "in {number:,} ranks that were to contend ran apart"
    MISCOUNTED = "in {number:,} the number of repetitions was badly wrong"


@unique
class SimulatorLack(Sentence):
    """What SimGrid can't simulate of a machine's file."""

    BARRIER = "the hardware's barrier: here it is made of messages"
    ALGORITHM = "{collective} by {algorithm}: here it is done as SimGrid does by itself"
    PIECES = "what messages of {collective} cost: here they cost what others do"


@unique
class Gathered(Sentence):
    """The cause of warnings of one kind about many cells."""

    ALIKE = "{cause} ({cells:# cell|# cells})"
    FIRST = "{variant}, {pattern}{size: at #|}: {cause}; and {others:# more cell|# more cells}"


# -- codes -----------------------------------------------------------------------------------------

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
