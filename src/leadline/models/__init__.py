"""Closed forms, and what they say of a curve.

Public:
    hockney: point_to_point
    model: Break
    pingpong: Exceeded, FourNumbers, ping_pongs, PingPong
    program: CallTimes, OnRanks, TradeOff, TurningPoint
    sampling: FittedCurve

For: cli, report, studies.
Never: files, libraries, how anything is printed.
"""
