"""What a run consists of, as frozen data; caveats, machine facts, others' benchmarks as runs.

Public:
    batches: batches_of, columns_of, StripedBatches, Strips
    caveats: Caveat, CaveatKind, FORMER_CODES, in_lines
    curve: CurveKey, OnCurve
    foreign: FORMATS, read_tables
    foreign.collection: ImportedTables, Source
    machine: HostFacts, UNKNOWN_HOST
    provenance: ImportedFile, PlanFacts, Provenance, StudyFacts
    run: BatchColumns, Batches, BatchFlag, Buffers, Cadence, Cell, Configuration, Failure,
        FORMAT_VERSION, Imported, Int32, Nanoseconds, ROUND_TRIP, Run, Slice, THREADS_VARIABLE,
        WhoseTime

For: cli, compare, hosts, kernels, measure, models, query, report, store, studies.
Never: files, clocks, processes; what follows from the numbers; how anything is printed.
"""
