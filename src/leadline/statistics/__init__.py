"""Arrays in, estimates out; no distribution is assumed.

`estimate` is the result of all: a value, its interval, the number of values behind it. `intervals`
makes distribution-free intervals of medians; `permutation` and `two_samples` test all cells of a
curve at once, paired and unpaired, with family-wise control; `moderation` stabilises variances of
few blocks; `autocorrelation` corrects for blocks that depend on those before; `change_points` finds
where a series changes its level.

Public:
    autocorrelation: Autocorrelation, autocorrelation_of
    change_points: chance_of, change_points, FEWEST_VALUES, persistence_about, simulated,
        strongest_step
    estimate: Estimate, Lack
    intervals: bootstrap_quantile, CONFIDENCE, Floats, median, median_rows, shift,
        weighted_row_medians
    permutation: ample_blocks, Bools, curve_average, fewest_blocks, FEWEST_UNPAIRED_BLOCKS,
        paired_significance, paired_significances, Significance, step_down, tests_of
    two_samples: Spread, unpaired_estimates, unpaired_significance

For: compare, health, measure, models, papers, patterns, report, simulate.
Never: runs, cells and libraries: only arrays.
"""
