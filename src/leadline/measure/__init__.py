"""Campaigns: ordered, planned, conducted, resumed.

A `spec.Request` says what to measure. `preparation` builds kernels, surveys hosts and makes a
`Prepared`; `plan` chooses blocks, launches and slices for its budget (`cells`, `budget`) without
touching the machine. `conduct` carries a plan out, from the first block or from where it was
interrupted (`resumption`), and writes the run. Within it `campaign` decides what comes next: blocks
of launches that are alive together, cells in random order; `schedule` keeps to the budget, `slices`
says when a slice is taken again, `clocks` fits the clocks of hosts. `pool` and `launch` own the
processes; `diagnostics` explains how one ended. All of them ask `system` for time, processes and
hosts, so a scripted machine can take its place. `tracing` logs what patterns send instead of timing
it; `against` repeats a finished run with the libraries of today.

Public:
    against: compilers_of_run, Libraries, request_against, request_of_run, Succession, successions
    budget: Allotment, BlockCosts, mean_costs
    campaign: Observer, Unwatched
    cells: PlannedCell, Resources
    conduct: conduct, finish_tables, resume, Tables
    grids: gains_nothing, grid_of, placement, sends_of, windows_of
    known_patterns: known_patterns, KnownPattern
    plan: Group, make_plan, Plan
    preparation: Compiling, paired, prepare, restore
    prepared: Prepared
    resumption: spent_s
    schedule: BlockTimes, Pace, Shortfall
    spec: carriers, check_name, DEFAULT_SIZES, distinct, name_from, parse_variant, rate_of, Request,
        SimulatedLaunch, SimulatedMachine, SLICE_PATIENCE_S, Variant, VariantSpec
    system: LaunchedProcess, OPERATING_SYSTEM, SCRATCH
    tracing: described_cells, DescribedCells, joined_cells, traced, TracedCell, Traces

For: cli, papers, report, scripted, simulate.
Never: what the numbers say, but for when to stop; how anything is printed.
"""
