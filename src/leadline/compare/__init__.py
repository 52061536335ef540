"""Analysis of runs, with intervals: samples, summaries, verdicts, rankings, histories.

`Analysis` reduces a run once, lazily: `samples` reduces ranks, `medians` reduces samples to one
time a block, and everything else takes these. `summaries` makes absolute times of them; `verdict`
decides on a candidate against a baseline from the ratios of paired blocks, `curves` over all sizes
of a pattern, `pairs` over all patterns; `ranking` orders several libraries; `overheads`, `overlap`
and `core_latencies` each answer one further question. Between runs, `between` estimates how far
runs differ when nothing has changed, and `history` finds the runs where a level changes. `origins`
keeps measured, imported and simulated values apart. What limits a result is a warning: `warnings`,
`circumstances`.

Public:
    analysis: Analysis, THRESHOLD
    baselines: BaselineContrast, Contrasts, contrasts_of
    between: comparable, recorded, RunsApart
    circumstances: Circumstances, counted_rows, EXCEEDED_SHARE, LINK_BOUND_SHARE
    core_latencies: are_apart, FAR, seats_of, tells_state, typical
    curves: Comparison, Crossing, Curve, overtaken_at, Range
    history: Choice, History, history_of, points_of, Trend, TrendPoint
    medians: block_log_ratios, counting, spared, undisturbed
    operations: strips_of
    origins: competes, in_run, Labelled, labelled, MODELS, not_measured, REPEATED
    overheads: Overhead
    overlap: computes, HiddenShare
    pairs: compare_runs, compare_within, ComparisonResult, exit_status, in_simulation,
        NO_REGRESSION, REGRESSION
    ranking: Ranking, Rankings, rankings_of
    samples: run_delay_shares
    sides: run_names, sides_called
    summaries: algorithm, Distribution, gathered, Rates, SHARES, Summary
    verdict: Contrast, judge, logarithms, margins_of, Paired, Unpaired, Verdict, Why
    warnings: few_blocks, named, not_whole, OVERSUBSCRIBED, unfinished

For: cli, measure, models, papers, query, report, scripted, simulate.
Never: files, clocks, processes; how anything is printed.
"""
