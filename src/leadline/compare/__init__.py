"""What runs say, and how sure: samples, summaries, verdicts, rankings, histories.

Public:
    analysis: Analysis, THRESHOLD
    baselines: BaselineContrast, Contrasts, contrasts_of
    between: comparable, KNOWN_APART, recorded, RunsApart
    cell_warnings: gathered
    circumstances: Circumstances, EXCEEDED_SHARE, LINK_BOUND_SHARE
    communication: counted_rows
    comparisons: Comparison, Range
    crossovers: Crossing, overtaken_at
    curves: Curve
    distributions: Distribution, SHARES
    disturbances: run_delay_shares
    handovers: are_apart, FAR, seats_of, tells_state, typical
    history: Change, Choice, History, history_of, points_of, Trend, TrendPoint
    operations: strips_of
    origins: competes, in_run, labelled, Labelled, MODELS, not_measured, REPEATED
    overlap: computes, HiddenShare
    pairs: compare_runs, compare_within, ComparisonResult, exit_status, in_simulation,
        NO_REGRESSION, REGRESSION
    ranking: Front, Standing, Standings, standings_of
    rates: Rates
    sides: run_names, Side, sides_called
    summaries: algorithm, few_blocks, OVERSUBSCRIBED, Summary
    taxes: Tax
    verdict: Contrast, judge, logarithms, margins_of, Paired, Rows, Unpaired, Verdict, Why
    visits: block_log_ratios, counting, spared, undisturbed
    wholeness: named, not_whole, unfinished

For: cli, measure, models, query, report, scripted, simulate, studies.
Never: files, clocks, processes; how anything is printed.
"""
