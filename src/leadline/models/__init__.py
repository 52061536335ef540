"""Models (closed forms) of curves: fits, predictions, and the algorithms behind them.

A model is a closed form T(m, p) = t0(p) + D(m, p), piecewise in the message size (`forms`).
`observations` takes block medians of a run; `fitting` fits pieces by least squares of relative
errors, `segments` finds where they begin, `selection` chooses the form by its errors at sizes and
numbers of ranks that were left out; `closed_form` is the whole, `fitted` all models of a run,
`file` their file. `resampling`, `scatter` and `prediction` give predictions their intervals;
`points` and `program` predict single operations and whole programs. `recognition` compares the
growth of times with the costs of known algorithms, `lower_bounds` says what no algorithm can beat.

Public:
    aggregate: aggregates, contributions
    algorithms: Cost, CostForm
    calls: Calls, CallSize, parse_calls, ProgramCall
    closed_form: fit, fit_each
    coefficients: byte_rate, falls_with_ranks, falls_with_size, least_rate, least_sum,
        without_rounding
    file: model_row, ModelFile, ModelRow, read_models, VERSION
    fitted: apart_of, fitted, Overview, overview
    fitting: nonnegative
    forms: ClosedForm, Scaling, Term
    lines: estimate, lines
    model: Aggregate, Algorithm, Break, Breakpoint, Model, NotFitted, Piece, RankSet
    observations: Observations, observations_of
    pingpong: FourNumbers, ping_pongs, PingPong, point_to_point
    points: by_variant, fastest, models_of, pattern_of, points_of, PredictedTime, Predictions,
        RanksAndSize
    prediction: predict, Prediction
    program: call_times, CallTimes, OnRanks, Programs, programs, trade_off, TradeOff, TurningPoint,
        UnservedError
    recognition: recognise
    sampling: fitted_curves, fitted_sweeps, FittedCurve, FittedSweep, SweepKind

For: cli, papers, report, simulate.
Never: files, libraries, how anything is printed.
"""
