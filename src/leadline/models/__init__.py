"""Closed forms, and what they say of a curve.

Public:
    aggregate: aggregates
    algorithms: core_of, Cost, CostForm
    call_times: call_times, CallTimes, UnservedError
    calls: Calls, CallSize, parse_calls, ProgramCall
    closed_form: fit, fit_each
    coefficients: byte_rate, falls_with_ranks, falls_with_size, least_rate, least_sum,
        without_rounding
    fastest: fastest, RanksAndSize
    fitted: fitted
    forms: ClosedForm, is_power_of_two, Scaling, Term
    hockney: point_to_point
    lines: estimate, lines
    model: Aggregate, Algorithm, Break, Breakpoint, Coefficient, HeldOut, Model, NotFitted, Piece,
        RankSet, Residuals, Scatter
    nonnegative: nonnegative
    observations: Observations, observations_of
    overview: overview, Overview
    payload: contributions
    pingpong: Exceeded, FourNumbers, ping_pongs, PingPong
    points: by_variant, models_of, pattern_of, points_of, PredictedTime, Predictions
    prediction: predict, Prediction
    program: OnRanks, programs, Programs, trade_off, TradeOff, TurningPoint
    reading: ModelFile, read_models, VERSION
    recognition: recognise
    runs_apart: apart_of
    sampling: fitted_curves, fitted_sweeps, FittedCurve, FittedSweep, SweepKind

For: cli, report, reproduce, simulate, studies.
Never: files, libraries, how anything is printed.
"""
