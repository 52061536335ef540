"""What a run consists of, as frozen data; warnings, machine facts, others' benchmarks as runs.

`run` has the nouns: a run, its configurations, cells, launches and blocks; `slices` and `batches`
the measurements of ranks, as columns; `provenance` and `machine` what was measured where;
`warnings` every kind of warning with its cause and remedy. `decoding` reads JSON by the types'
annotations, in which `quantities` states bounds; `fields` has the checks that annotations cannot
state. `reduction` condenses the batches of many ranks. `foreign` reads the output of other
benchmarks.

Public:
    batches: batches_of, columns_of, conditions_of, StripedBatches, strips_of, unknown_conditions
    curve: CurveKey, OnCurve
    decoding: at, check_printable, decoded
    fields: Check, field, FormatError, in_lines, list_of, of_type, shown, text, whole
    foreign: FORMATS, read_tables
    foreign.collection: ImportedTables, Source, with_ranks
    machine: HostFacts, UNKNOWN_HOST
    provenance: ImportedFile, LinkFacts, PlanFacts, Provenance, Sends, SimulationFacts, StudyFacts
    quantities: LONGEST_NS, LONGEST_S, MOST_INT32, MOST_NUMBERED, UNKNOWN
    reduction: FEW_RANKS, joined, reduced, spread_of
    run: Buffers, Cadence, Cell, ClockFit, Configuration, Failure, FORMAT_VERSION, GridPlacement,
        Host, HOST_DOWN, Origin, ROUND_TRIP, Run, Stated, WhoseTime
    slices: ADDED, BatchColumns, Batches, BatchFlag, COLUMNS, CommunicationTimes, Counts,
        Disturbance, DISTURBED_SHARE, FORMER_COLUMNS, Int32, KNOWN_FLAGS, LACKING, LEFT_OUT,
        LinkUse, Nanoseconds, RankSpread, Slice, SPREAD, StripConditions, Strips, Verified, WarmUp
    templates: Sentence
    terms: current_label, FORMER_NAMES, Origin
    warnings: DAMAGE, Factor, Gathered, NotCounted, Remedy, restored, RunWarning, SimulatorLack,
        UNMEASURED, warning_of, WarningKind

For: cli, compare, health, hosts, kernels, measure, models, papers, patterns, query, report,
scripted, simulate, store.
Never: files, clocks, processes; what follows from the numbers; how anything is printed.
"""
