"""Closed forms, and what they say of a curve.

Public:
    hockney: point_to_point, PointToPoint
    pingpong: ping_pongs, PingPong

For: cli, report, studies.
Never: files, libraries, how anything is printed.
"""
