"""Patterns: what one is, how to ask for it, what it is called elsewhere, what its ranks call.

The loops themselves are in C (native/kernels/patterns), and a kernel describes its own: `pattern`
reads that description, and "allreduce:max" into a choice with options. `suites` names sets of
patterns, `names` translates those of MPI, OSU and IMB. `programs` holds each pattern's calls, rank
by rank, on which simulations stand; many pair their ranks by `powers_of_two`.

Public:
    names: foreign_name, FOREIGN_NAMES, ForeignName, LISTED, measured_pattern, unknown_pattern
    pattern: cell_of, CORNERS, NO_WINDOWS, parse_choice, parse_pattern, Pattern, PatternChoice,
        Problem
    powers_of_two: core_of, is_power_of_two
    programs.calls: calls_in, KINDS, Program, RankCalls, Repetition, SendMode
    programs.collectives: ALGORITHMS, collective_of
    programs.multigrid: by_messages, by_puts, iterating
    programs.patterns: calls_of, least_ranks, MODES, PATTERNS
    programs.space_time: process
    suites: BLOCKING, NEIGHBOURS, NON_BLOCKING, ONE_SIDED, PATTERNS_BUDGET_S, SUITES, VECTORS

For: cli, kernels, measure, models, papers, report, simulate.
Never: files, clocks, processes; which library carries a pattern out, and how fast.
"""
