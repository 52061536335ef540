"""Campaigns: ordered, planned, conducted, resumed.

Public:
    against: compilers_of_run, Libraries, order_against, order_of_run, Succession, successions
    allotment: Allotment, BlockCosts, mean_costs
    cells: PlannedCell
    conduct: conduct, finish_tables, resume, Tables
    described: described_cells, DescribedCells, joined_cells
    grids: grid_of
    known_patterns: known_patterns, KnownPattern
    links: rate_of
    observer: Observer, Unwatched
    order: DEFAULT_SIZES, Order, SLICE_PATIENCE_S
    pace: BlockTimes, Pace, Shortfall
    pairs: paired
    placing: gains_nothing, placement
    plan: Group, make_plan, Plan
    preparation: Compiling, prepare
    prepared: Prepared
    resources: Resources
    restoration: restore
    resumption: spent_s
    sending: sends_of, windows_of
    suites: BLOCKING, NEIGHBOURS, NON_BLOCKING, ONE_SIDED, PATTERNS_BUDGET_S, Suite, SUITES,
        VECTORS
    system: LaunchedProcess, OPERATING_SYSTEM, SCRATCH
    tracing: traced, TracedCell, Traces
    variants: carriers, check_name, distinct, name_from, parse_variant, SimulatedLaunch,
        SimulatedMachine, Variant, VariantSpec

For: cli, report, reproduce, scripted, simulate, studies.
Never: what the numbers say, but for when to stop; how anything is printed.
"""
