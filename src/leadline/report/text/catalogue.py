"""The English of all reports: a table of sentences a report, each keyed by its code.

`record.templates` says how fields are written. The modules beside this one choose a sentence and
give its values; headings and columns stand with their tables, warnings in `record.warnings`.
"""

from __future__ import annotations

from enum import unique

from leadline.record.templates import Sentence

# -- what several reports say ----------------------------------------------------------------------


@unique
class PlaceWords(Sentence):
    """Where sizes lie, after what holds there."""

    AT = " at {first:size}"
    UP_TO = " up to {last:size}"
    FROM_ON = " from {first:size} on"
    FROM_TO = " from {first:size} to {last:size}"
    EVERYWHERE = " at all sizes"
    TOGETHER = " over all sizes together"


@unique
class ValueWords(Sentence):
    """Values without an interval, and intervals without a use."""

    USELESS = "no useful interval"
    LINK = (
        "{medium} {framing}, MTU {mtu} bytes{delay:, delay #|}, shaped by {kernel:the kernel|a "
        "switch in user space}: rated {rate}, payload of TCP at most {payload}"
    )


# -- the first screen ------------------------------------------------------------------------------


@unique
class ScreenWords(Sentence):
    """A run's answer in one screen."""

    TALLY = "Of {cells:# cell|# cells}: {parts:join}."
    MOST = "{winner} is fastest in {cells}"
    OTHER = "{winner} in {cells}"
    TIES = "two or more are alike in {cells}"
    OPEN = "{cells} undecided"
    LEAD = "{winner} {factors} faster than {loser}{place}"
    NEXT = "the next"
    SAME = "no difference between the fastest two{place}"
    UNDECIDED = "undecided{place}"
    MORE_RANGES = "{number:# more range|# more ranges}"
    MORE_CURVES = "... and {number:# more|# more}."
    MORE_SIZES = "of {number:# size|# sizes}"
    WHY_UNDECIDED = "Undecided{mostly: mostly|}: {reason}; a longer --budget decides more."
    WARNING = "warning"
    FAILURE = "failure"
    OTHERS = "{what}: --full"


# -- runs and comparisons --------------------------------------------------------------------------


@unique
class RunWords(Sentence):
    """What was measured where, and how verdicts come about."""

    LINK = "Between emulated hosts ({hosts}): {link}, {words}."
    NO_LINK = "Not between emulated hosts."
    VERDICTS = (
        "Faster, slower: by more than {threshold}, in the cell's 95 % interval and in a "
        "permutation test over {pairs:all pairs of libraries and all sizes|all sizes} (any wrong "
        "in 5 % at most); same: the interval within {threshold}."
    )
    NO_BANDWIDTH = (
        "{variant} has no asymptotic bandwidth: {rate} were measured at {bytes:size}, {times} "
        "times that of the line through its largest sizes{blocks: (#)|}."
    )
    NO_SWEEP = "nothing was measured with several numbers of ranks: run --ranks 2,3,4"
    NOTHING = "nothing was measured"


@unique
class RankingWords(Sentence):
    """Who is faster where, and by how much."""

    FASTER = "{winner} is {times} times faster than {loser}"
    FASTER_AS_BEFORE = "{times} times faster"
    UNDECIDED = "not decided{pair: between #|}{place} ({reason})"
    SAME = "{who:# are |}equal within {threshold}{place}"
    FASTEST_TWO = "the fastest two"
    TOGETHER = "All sizes{partial: that count|} together: {sentence}"
    ORDER = "The fastest first: {groups}."
    ORDER_TOGETHER = "All sizes{partial: that count|} together, the fastest first: {groups}."
    GROUP_OF_TWO = "{who}, not told apart"
    GROUP_OF_MORE = "{who}, not all told apart"
    SLOWER = (
        "{candidate} is {times} times slower than {baseline} in {pattern} ({ranks} ranks){place}"
    )
    OVERTAKES = "{above} overtakes {below} between {sizes}{point:, at #|}."
    OVERHEAD = "Library overhead over {raw}{size: at #|}: {costs:join}."


@unique
class UndecidedWords(Sentence):
    """Why cells are undecided, behind them; by the name of `compare.verdict.Why`."""

    CROSSES = "crosses {threshold}"
    FAMILY = "beyond {threshold} alone, but not in the test over all"
    NOT_MEASURED = "not measured on both sides"
    DISTURBED = "disturbed"
    CORE_STATES = "cores in different states"
    ONE_PAIR_OF_RUNS = "one pair of runs"
    OVERSUBSCRIBED = "oversubscribed"
    FEW_BLOCKS = "{blocks} blocks"
    FEW_BLOCKS_OF = "{blocks} of {needed:# block|# blocks}"


@unique
class HistoryWords(Sentence):
    """How a series of runs went on."""

    VERDICTS = (
        "Faster, slower: a new level more than {threshold} away, its 95 % interval without 1, in a "
        "test of all series{several: of an origin|} against drift (any wrong in 5 % at most)."
    )
    NOT_COMPARABLE = "No two runs are comparable."
    NOT_MEASURED = "Not decided: {origins} values weren't measured, so they can't show a slowdown."
    SLOWDOWN = "{pattern} under {variant}, {times}x ({bounds}) since {run}"
    SLOWER = "Slower at the end: {slowdowns}."
    TOO_FEW = "Not decided: too few runs to show a slowdown."
    NONE = (
        "No slowdown at the end{origins: of # series|}{few:; too few runs to show one in # more|}."
    )


@unique
class PageWords(Sentence):
    """What the page says besides."""

    NOT_MEASURED = "Nothing was measured here: these times are {origins}."
    CROWDED = "More ranks than cores are part of no verdict: these are the times alone."
    ALONE = "Nothing to compare: these are the times alone."
    FASTEST = "{variant} is the fastest in {cells}{rest}"
    OTHER_FASTEST = ", {variant} in {cells}"
    EQUAL = "the fastest two are equal in {cells}"
    UNDECIDED = "not decided in {cells} ({reasons})"
    TALLY = "Of {cells:# cell|# cells}: {parts}."
    FOLDED = "In sentences, with intervals"
    NO_WARNINGS = "Nothing failed, and there is nothing to warn of."
    INHERITED = "Variables that ranks inherited"
    BUILT = "How the library of {variant} was built"
    HOLLOW = (
        "Hollow points on broken lines weren't measured: the name says where they come from, and a "
        "band is what came with the values."
    )
    FRONTS = (
        "The fastest library of each cell and how many times faster than all others it is; several "
        "that tie (= equal, ? not decided) have the lead of the first over the rest."
    )
    RATIOS = "Time over that of {baseline}: ▲ slower, ▼ faster, = equal, ? not decided"
    TIMES = "Time of one operation or message"
    RINGS = "Rings are what the paper printed, lines are ours."
    READING = "Point at a plot, or focus it and press ← and →, to read it; press a name to hide it."
    PAPER_SAYS = "What it says: {hold} of {number} hold"
    PAPER_MEASURED = "Put to what was measured here: {answers}"
    PAPER_CONTRADICTS = "Where it contradicts itself, and how that is read here"
    PAPER_SETTINGS = "How its figures came about: {number:# setting|# settings}"


# -- closed forms and predictions ------------------------------------------------------------------


@unique
class FormWords(Sentence):
    """A closed form: what it says, where it holds, and how good it is."""

    FORM = "{variant}'s {pattern} on {ranks} {one:rank|ranks} takes{families}."
    ALL = " {pieces}"
    POWERS_OF_TWO = ", where p is a power of two, {pieces}"
    OTHERS = "elsewhere {pieces}"
    PROTOCOL_SWITCH = "a protocol switch between {below:size} and {above:size}{by_interval}"
    CACHE_EDGE = "a cache edge between {below:size} and {above:size}{by_interval}"
    CHANGE = "a change of form between {below:size} and {above:size}{by_interval}"
    BY_INTERVAL = " ({low} to {high} by its interval)"
    PER_BYTE_SUM = "{startup} + ({per_byte}) a byte"
    PER_BYTE = "{startup} {sign} {time}{factor} a byte{rate: (#)|}"
    NO_INTERVAL_OF = "Nothing in it has an interval: {origin} values have no blocks."
    NO_INTERVAL = "Nothing in it has an interval: {blocks:# block is|# blocks are} too few for one."
    DOMAIN = "Fitted to {fitted:join}: it {limits}."
    SILENT = "says nothing of {what}"
    BEYOND = "extrapolates beyond these {what}"
    OTHER_RANKS = "other numbers of ranks"
    NO_POWERS = "numbers of ranks that aren't powers of two"
    OTHER_SIZES = "other sizes"
    NEGATIVE_STARTUP = (
        "A start-up below zero is no time that anything takes: its line is fitted {ranges}, and "
        "holds there alone."
    )
    NEGATIVE_CONSTANT = (
        "A constant below zero is no time by itself: it is part of a sum that grows with p."
    )
    FALLS_WITH_SIZE = (
        "By the form longer messages take less time{where: #|}: predictions don't follow it below "
        "the shortest time there."
    )
    FALLS_WITH_RANKS = (
        "By the form more ranks take less time{where: #|}: predictions don't follow it below the "
        "shortest time there."
    )
    RANGE = "from {least:size} to {most:size}"
    RANGE_AT = "at {least:size}"
    RANKS = "{numbers} {one:rank|ranks}"
    MANY_RANKS = "{first:,} to {last:,} ranks ({number} numbers of them)"
    SIZES = "{first:size} to {last:size} ({number} sizes)"
    NOT_HELD_OUT = (
        "There was too little to leave any out, so how far it is off elsewhere isn't known."
    )
    HELD_OUT = (
        "At {left_out} left out {predicted:predictions are|it is} off by {errors}{form_alone:; the "
        "form alone by # in the median|}{beside}."
    )
    NO_BETTER = "; no form with more coefficients was surely better"
    CONSTANT = "; a constant by {errors}"
    CONSTANT_BETTER = ", and a constant by {errors}: don't rely on it, but on the values measured"
    ERRORS = "{median} in the median, by at most {most} in nine of ten"
    ERRORS_TENFOLD = "{median} in the median, by {most} in one of ten"
    OFF_UNDER = "under {share}"
    OFF_TENFOLD = "tenfold or more"
    OFF_FACTOR = "a factor of {factor}"
    ALGORITHM = "It appears to use {name}{where: #|}{sure: (in # of resamples)|}: {why}."
    NO_ALGORITHM = "Which algorithm it uses{where: #|} is undecided: {why}."
    LOWER_BOUND = (
        "At {ranks} and {bytes:size} it takes {times} times the lower bound that its ping-pong "
        "sets{cheaper:: these messages cost less than the ping-pong's|}."
    )
    AGGREGATE = "In the limit of long messages {ranks} together deliver {rate}, {reached}."
    HALF = "half of it, or more, from {size} on"
    HALF_EVERYWHERE = "half of it at every size"
    WITHOUT_INTERVAL = "without an interval"
    CORES = (
        "For cores that hand a cache line to and fro in {core_latency} ns; those that take twice "
        "or half as long, as virtual ones may another time, have other times: "
        "`leadline compare {run} NEW_RUN` says whether those of a new run do."
    )
    SAME_HOUR = (
        "Intervals of predictions are of a campaign of the same hour: they don't hold how far runs "
        "of this machine lie apart, which `leadline fit` takes from three comparable runs beside "
        "the one that it fits, or from --between."
    )
    RUNS_APART = (
        "Intervals of predictions allow for runs of this machine lying apart by {share} (standard "
        "deviation, {runs:as # runs here do|as # runs here do|as stated})."
    )
    INTERVALS = (
        "Intervals: 95 %, over blocks, of the form as it stands; how far that is off is said by "
        "sizes and numbers of ranks left out."
    )
    P_IS_RANKS = "p is the number of ranks."
    FEW_BLOCKS = (
        "Forms of {least:# to |}{most:# block|# blocks} have no intervals: nothing tells how sure "
        "they are{negative:, and start-ups below zero that they are not|}. Measure six blocks or "
        "more before you go by them."
    )
    LEFT_OUT = (
        "{number:,} {more:more |}pairs of pattern and variant aren't fitted here: `leadline fit "
        "RUN` fits all, --pattern P some of them."
    )


@unique
class PredictionWords(Sentence):
    """Predicted times, and which is the fastest."""

    INTERVALS = (
        "Intervals: the median of a new campaign{same_hour: of the same hour|} lies within in 95 "
        "of 100."
    )
    EXTRAPOLATED = "{mark}: outside of the sizes or numbers of ranks that were fitted."
    FLOORED = (
        "{mark}: the form falls below the shortest time of its piece, which stands in its place."
    )
    FASTEST = "Fastest, its interval below all others': {places}."
    OPEN = "not told {places}"
    NO_INTERVAL_BELOW = "Which is the fastest can't be told: no interval lies below all others'."
    NOT_ALL_INTERVALS = "Which is the fastest can't be told: not all have intervals."
    LIMITS = "Not among them: {raw}, {one:a limit and no competitor|limits and no competitors}."
    AT_MANY = "at {number:,} of {every:,} places"
    AT_SIZES = "at {sizes}"
    ON_RANKS = "on {numbers} ranks"
    AT_SIZE_ON_RANKS = "at {bytes:size} on {ranks:,} ranks"
    ALONE = "{time}{mark}, {basis}, no interval"


# -- hosts -----------------------------------------------------------------------------------------


@unique
class HealthWords(Sentence):
    """Who is slow, and how healthy the others are."""

    NO_MESSAGE = "it answers when it is asked, but no message reaches it"
    CUT = "both hear others, and no message passes between them"
    BOUNDED_RATE = "less than {factor:.2f} of the median rate"
    BOUNDED_LATENCY = "more than {factor:.2f} times the median latency"
    ALL_HEALTHY = "All healthy: no host's link has {limits} ({percent:.3g} %)."
    OTHERS_HEALTHY = "The other {number}: no host's link has {limits} ({percent:.3g} %)."
    NOBODY_LEFT = "Nobody is left to compare them with."
    TOO_FEW = "Of {hosts:# host|# hosts} nobody can say which is slower than usual."
    OTHERS_UNKNOWN = "Too little was measured to say anything of the others."
    UNKNOWN = "Nobody is suspect, but too little was measured to say how healthy they are."
    ROUND = "round {number}: {pairs:# pair|# pairs}, {took_s:.1f} s{silent:, silent: #|}"


@unique
class HostWords(Sentence):
    """Emulated hosts: what is up, and what was removed."""

    NONE_UP = "leadline hosts up makes some"
    ACHIEVED = "achieved when it came up: {rate}, {share} of the payload rate"
    LATE = (
        "{frames:,} frames left the switch {late_s:time} late at the median, 99 % of them at most "
        "{late_p99_s:time}"
    )
    LEFT_OVER = (
        "{prefix}1 ... aren't up, but something of them is there: another hosts up that is at it, "
        "or one that was killed; leadline hosts down --prefix {prefix} removes it"
    )
    NOTHING_TO_REMOVE = "no hosts {prefix}1 ... are up; nothing to remove"
    REMOVED = (
        "removed {hosts:#|what was left}: {processes} {processes:process|processes}, and with them "
        "all that was theirs"
    )


# -- traces and simulations ------------------------------------------------------------------------


@unique
class TraceWords(Sentence):
    """What a pattern sent."""

    SILENT = "No message was sent."
    OPERATIONS = "Collectives and how they are done: {operations:join}."
    PHASES = "{first} to {last}, each"


@unique
class CalibrationWords(Sentence):
    """How far simulated times are off measured ones."""

    NOTHING = "Nothing was held out: measure more sizes."
    TOGETHER = (
        "All together: off by {median} in the median, 9 of 10 within {p90}; {cells:# cell|# cells}."
    )


# -- patterns --------------------------------------------------------------------------------------


@unique
class PatternWords(Sentence):
    """What is known of patterns."""

    MEANING = (
        "In parentheses what MPI, OSU or IMB call it, where the name doesn't say it. `leadline "
        "patterns NAME` says more, by such a name too: alltoall, osu_latency, PingPong."
    )
    BUFFERS = "For figures like OSU's and IMB's: leadline run --buffers separate."
    TAKE_PART = "{number:# rank|# ranks} take part"
    WHOSE_TIME = "the time is the {whose}'s"
    OPTION = "Option {key}: {allowed}{default:, the first by default|}."
    ELSEWHERE = "Elsewhere it is {names}."
    NEAR = "Near is {name}: {differs}."
    SUITES = "Part of {suites}."


# -- mapping ---------------------------------------------------------------------------------------


@unique
class MappingWords(Sentence):
    """How ranks are mapped, and what that changes."""

    PRICE = "The price is more of: {metrics:join}."
    LIKEWISE = "Likewise more of: {metrics:join}."
    INSIDE = (
        "Inside hosts: {mapped} hop-bytes; {in_order:#|the same} with each host's ranks in their "
        "order."
    )
    METHOD = "Method: {method}{alone: alone|}, in {seconds:time}."
    WORSE = "{metric}: worse than ranks in their order ({change})."
    ORDER_OPTIMAL = "{metric}: ranks in their order are proven optimal."
    NOTHING_BETTER = "{metric}: nothing better than ranks in their order was found."
    LESS = "{metric}: {share} less{optimal:; proven optimal|}."
    INSTEAD = "{after} instead of {before}"
    NO_SHARING = "No job sends over links that another uses."
    NO_DIVISION = (
        "Mapping each job's ranks leaves {mapped} of this load; no division was found that is "
        "better."
    )
    DIVISION = (
        "Mapping each job's ranks leaves {mapped} of this load; dividing the slots again leaves "
        "{divided}."
    )
    EQUAL_PARTS = (
        "Of a domain in equal parts, after mapping; 1 is all that crosses one of its faces."
    )


@unique
class PictureWords(Sentence):
    """Legends of pictures of maps."""

    BEFORE = "before: ranks in order, {metric} {value}"
    AFTER = "after: {method}, {metric} {value}"
    NODES = (
        "Nodes with the number of their first rank, {sides}; {jobs:a colour a job|like colours are "
        "near in the pattern}. Thicker, darker lines: busier links."
    )
    GRID = "Ranks of the grid in the colour of the node that holds them."
    TRAFFIC = "Traffic from each node (down) to each other node (across); darker is more."
    THIRD_AXIS = "links along {axis} at the lower right"
    FURTHER_AXES = "links along {axes:join} at the corners from the lower right on"
    ONE_MEDIUM = "at the one medium"
    SWITCHES = "around their switches"


# -- papers ----------------------------------------------------------------------------------------


@unique
class StudyWords(Sentence):
    """Studies: what they ask, and what was found."""

    CROWDED = (
        "{mark} more PEs than cores: the scheduler was measured along; in no finding, unless as a "
        "bound."
    )
    UNSURE = "{mark} fewer than six blocks counted: no interval."
    OWN_QUESTIONS = (
        "{question}\n{number:# question|# questions}, with programs as in {source}, with {pes}."
    )
    FINDINGS = "{question}\n{number:# finding|# findings} of {source}, with {pes}."
    QUESTION = "{question}\nThe paper's machines, with their processors: {machines}; {pes}."
    HOLDS = "{number} hold"
    FAILS = "{number} don't hold"
    OPEN = "{number} can't be told"


@unique
class PaperWords(Sentence):
    """Papers made again: what became of their figures."""

    FITTED = "fitted: a machine file's value was chosen to reach the figure, or is it."
    PREDICTED = "predicted: none was."
    SENTENCES = "predicted sentences: how many hold of those that no fitted figure decides."
    CONSTANTS = (
        "fitted constants: numbers and choices in machine files that the paper's figures made."
    )
    MEASURED = "measured here: figures that a study of the paper measured on this machine, besides."
    TIMES = "times: of the published one. Today's machines are other ones: compare the sentences."
    FORMS = (
        "Fitted to simulated times on {least} to {most} nodes: m are a message's bytes, p the "
        "nodes. R_inf({most}) are the bytes delivered a second as messages grow, by the form, and "
        "by the slope of times at sizes beyond those that it was fitted to."
    )
    SETTINGS = (
        "It prints {number:# setting|# settings} besides, how the figures came about: --json lists "
        "them."
    )
    CONTRADICTION = "{figures}: {printed}\nbut: {found}\ntaken: {reading}"
    RUNS = "Runs: {runs}."
    HOLDS = "holds"
    FAILS = "doesn't hold"
    RATIOS = "ours {ours}{unit}{needed:, needed #|}{published:, published #|}"
    COUNTED = (
        "{figures:# figure|# figures} of {papers:# paper|# papers}: {predicted} are predicted, "
        "{near} of them {within}; of {sentences:# sentence|# sentences} that no fitted figure "
        "decides {hold} {hold:holds|hold}."
    )


# -- the plan of a campaign ------------------------------------------------------------------------


@unique
class PlanWords(Sentence):
    """What will be measured, and how long that takes."""

    HOSTS = (
        "hosts: {hosts} on {machines:# machine|# machines}, with {cores:# core|# cores} for ranks"
    )
    LINKS = "links: watched, compared with {rate:#|the speed of their interfaces} each way"
    GROUP = (
        "{ranks}: {cells}; {slices:# slice|# slices} a visit, {launches:# launch|# launches} of "
        "each variant"
    )
    PROBLEM = (
        "  {pattern}: {megabytes} MB on all ranks together, {repetitions:# repetition|# "
        "repetitions} of {megaflop} Mflop; a slice takes about {seconds:time}"
    )
    LAYS = "  {variant} lays {placement}"
    SIMULATED = "{blocks} of simulated time; how long they take isn't known"
    SLICES = "x slices of {slice_ms:.0f} ms"
    VISITS = "of {visit_s:.1f} s"
    DURATION = (
        "{blocks} x ({startup_s:.1f} s start-up + {visits} {each}) = about {estimate_s:.0f} s"
    )
    MOST_BLOCKS = "{most} blocks are the most that a run has, whatever its --budget"
    ANEW = (
        "replanned after 1, 3, 6, ... blocks, by what they take and how they spread: "
        "{fixed:visits|blocks, visits}, slices of 2 ms where medians settle by then"
    )
    ABSENT = (
        "{code}: {number} patterns need what {who} {several:haven't|hasn't} (--dry-run names them)"
    )


# -- while a campaign runs -------------------------------------------------------------------------


@unique
class ProgressWords(Sentence):
    """What is going on, a line each."""

    ANEW = (
        "replanned: {blocks:# block|# blocks} more of up to {visits:# visit|# visits} each, "
        "{launches:# launch|# launches} of each variant"
    )
    FAILED = "failed: {code}: {message}"
    BUSY = " (load {load:.0f} on {cores:# core|# cores})"
    SUFFICES = "at this pace {budget} suffice after all{busy}: {blocks} blocks"
    INTERVALS_ALONE = (
        "at this pace {budget} end after {blocks} blocks{busy}: intervals if all of them count, "
        "but it takes {needed} until a clear difference is sure to show; {enough} would do"
    )
    OVER_BUDGET = (
        "at this pace the {fewest} blocks that intervals take last {enough}{busy}, more than the "
        "usual {budget}; a --budget of your own is kept"
    )
    NO_INTERVALS = (
        "at this pace {budget} end after {blocks} of {fewest} blocks{in_part:, of some cells "
        "#|}{busy}: times without intervals, no verdicts; {enough} would do"
    )
    OVERDUE = "longer than expected"
    SECONDS_LEFT = "about {seconds} s left"
    MINUTES_LEFT = "about {minutes} min left"
    SWEPT = "removed what killed front-ends left: {removed:join}"
    STARTED_BY = "{variant} is started by: {command}"
    BLOCK = "block {block} of {blocks}, {ranks:# rank|# ranks}{left}"
    BAR_BLOCK = "block {block}/{blocks}, {ranks:# rank|# ranks}"
    RECORDED = "{slices} slices recorded"
    COMPILING_ONE = "compiling for {name} ({number} of {every}) ..."
    COMPILING = "compiling for {names:join} ..."


@unique
class DoctorWords(Sentence):
    """The machine and its backends."""

    NOTHING_SWEPT = "nothing: no killed front-end left any"
    ENDED = "{processes} processes, ended"
    BOUND = "ranks can be bound"
    UNBOUND = "ranks can't be bound"
    BARE = "neither container nor VM"
    CORES = "{allowed} of {cores} allowed, {binding}"
    LAYOUT = "sockets {sockets}, NUMA nodes {numa_nodes}, threads per core {threads_per_core}"
    NO_NETWORK = "no device visible"
    CLOCK = "{clock}, at most {reading} a reading"
    NO_GOVERNOR = "not visible"
    MEMORY = "{available} of {total} available, /dev/shm {shared}, last-level cache {cache}"


# -- the conclusion of a comparison ----------------------------------------------------------------


@unique
class ConclusionWords(Sentence):
    """What a comparison adds up to."""

    NOTHING_COUNTS = "Not decided: {why}."
    REGRESSION = "Regression: {slowdowns}{more:; and # more slowdown|; and # more slowdowns|}."
    NO_REGRESSION = (
        "No regression: nothing is shown to be slower by more than {threshold}{undecided}."
    )
    LACKING = (
        "Nothing is shown to be slower by more than {threshold}, but one side lacks cells of the "
        "other."
    )
    NOTHING_SHOWN = "Nothing is shown to be slower by more than {threshold}{undecided}{remedy}."
    TAKEN_AS_TRUE = " This takes {models} values at their word."
    AS_LONG = "{candidate} takes as long as {baseline}"
    SIMULATED_FASTER = "{candidate} is faster than {baseline}: it takes {times} times as long"
    SIMULATED_SLOWER = "{candidate} is slower than {baseline}: it takes {times} times as long"
    SIMULATED = "{candidate} takes {times} times as long as {baseline}"
    IN_SIMULATION = (
        "In the simulation {pairs}. That is no verdict on a machine: nothing was measured."
    )
    NO_CELL = "no cell was measured on both sides"
    CROWDED = "more ranks than cores are part of no verdict"
    UNMEASURED = "{origins} values weren't measured, so they can't show which is faster"
    UNMEASURED_AND_CROWDED = (
        "{origins} values weren't measured, so they can't show which is faster, and more ranks "
        "than cores are part of no verdict"
    )
    ONLY_CELL = ", but the only cell isn't decided ({reasons})"
    NO_CELL_DECIDED = ", but none of {cells:,} cells is decided ({reasons})"
    SOME_CELLS = (
        ", but {number:,} of {cells:# cell|# cells} {number:isn't|aren't} decided ({reasons})"
    )
    IN_ONE_RUN = "measure both in one run (leadline run --against)"
    RUN_OR_SPREAD = ": {in_one_run}, or {known_apart}"
    SPREAD = ": {known_apart}"
    BLOCKS = ": measure {needed:,} blocks at least"
    LONGER_RUN = ": {in_one_run}, for longer"
    SAME_STATE = ": measure again until the cores are in one state in both"
    LONGER = ": measure longer"


@unique
class CountedWords(Sentence):
    """Why cells are undecided, behind their number; by the name of `compare.verdict.Why`."""

    CROSSES = "crossing the threshold"
    FAMILY = "beyond it alone but not in the test over all"
    FEW_BLOCKS = "with too few blocks"
    NOT_MEASURED = "not measured on both sides"
    DISTURBED = "disturbed"
    CORE_STATES = "with cores in different states"
    ONE_PAIR_OF_RUNS = "of one pair of runs"
    OVERSUBSCRIBED = "oversubscribed"
    STATED = "not measured here"


# -- programs --------------------------------------------------------------------------------------


@unique
class ProgramWords(Sentence):
    """A program's trade-off of computation against communication."""

    FASTEST = (
        "{variant} on {ranks:# rank|# ranks} is the fastest: its interval lies below the others' "
        "on all numbers of ranks."
    )
    OVERLAP = "Which is the fastest can't be told: intervals overlap."
    NOT_ALL_INTERVALS = "Which is the fastest can't be told: not all have intervals."
    MANY_RANKS = (
        "{number:# number|# numbers} of ranks were asked for: --csv and --json have them all."
    )
    LEAST = (
        "The least time is on {ranks:# rank|# ranks}{alike: (# may take as little)|}: "
        "{time}{faster}."
    )
    ON = "On {ranks:# rank|# ranks}{alike: (# may take as little)|}: {time}{faster}."
    FASTER = ", {times} times as fast as one, efficiency {efficiency}"
    NO_WORK = "There is no work to divide, so there is no speed-up."
    ONE_FASTER = "One rank alone is faster: it takes {work_s:time}."
    ONE_PERHAPS = "Whether that is faster than one rank alone, {work_s:time}, can't be told."
    MORE_RANKS = "What was asked for ends there: more than {ranks:,} ranks may take less."
    MORE_RANKS_ALIKE = "What was asked for ends at {ranks:,} ranks, which may take as little."
    FEWER_RANKS = "What was asked for begins there: fewer than {ranks:,} ranks may take less."
    NO_CALLS = "There are no calls: nothing is communicated, whatever the variant."
    UNDER_HALF = "Communication takes less than half of the time{doubt:, but perhaps more|}."
    NEVER_HALF = (
        "Communication takes half of the time on none of these numbers of ranks{perhaps:, but "
        "perhaps on #|}."
    )
    HALF_FROM = (
        "Communication takes half of the time, or more, from {ranks:# rank|# ranks} "
        "on{bounds: (#)|}{already: already|}{less:, but not on #|}."
    )
    HALF_ON = (
        "Communication takes half of the time, or more, on {ranks:# rank|# ranks}"
        "{bounds: (#)|}{already: already|}{less:, but not on #|}."
    )
    FITTED_TO = "{where}: fitted to {ranks} ranks{powers:, powers of two alone,|} and {sizes}"
    EXTRAPOLATED = "{calls} {number:is|are} extrapolated {outside}."
    FLOORED = (
        "{calls} {number:takes the shortest time of its piece|take the shortest times of their "
        "pieces} {where}, below which {number:its form falls|their forms fall}."
    )
    UNDER_A_BYTE = "Less than a byte is left {where} of {calls}: it counts as one byte."
    NO_INTERVALS = "There are no intervals: {calls} {number:rests|rest} on {basis}."
    GROUPS = (
        "{pattern} takes what {ranks} ranks take that have the machine to themselves: what groups "
        "take from each other isn't in it."
    )
    LEFT_OVER = "Groups of {ranks} leave ranks over {where}: these are taken to call no {pattern}."
    THROUGHOUT = "throughout"
    FROM_ON = "from {ranks:,} ranks on"
    UP_TO = "up to {ranks:,} ranks"
    ON_RANKS = "on {ranks}"
