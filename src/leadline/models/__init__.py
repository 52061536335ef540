"""Closed forms, and what they say of a curve.

Public:
    closed_form: fit, fit_each
    forms: ClosedForm, Scaling
    hockney: point_to_point
    model: Break, Model, NotFitted
    observations: Observations, observations_of
    pingpong: Exceeded, FourNumbers, ping_pongs, PingPong
    prediction: predict, Prediction
    program: CallTimes, OnRanks, TradeOff, TurningPoint
    sampling: FittedCurve

For: cli, report, studies.
Never: files, libraries, how anything is printed.
"""
