"""Models (closed forms) of curves: fits, predictions, and the algorithms behind them.

Public:
    aggregate: aggregates, contributions
    algorithms: core_of, Cost, CostForm
    calls: Calls, CallSize, parse_calls, ProgramCall
    closed_form: fit, fit_each
    coefficients: byte_rate, falls_with_ranks, falls_with_size, least_rate, least_sum,
        without_rounding
    file: model_row, ModelFile, ModelRow, read_models, VERSION
    fitted: apart_of, fitted, Overview, overview
    fitting: nonnegative
    forms: ClosedForm, is_power_of_two, Scaling, Term
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
