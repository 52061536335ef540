"""This end of native/kernels: kernels are built, described, commanded and watched.

Public:
    build: Additions, build_kernel, describe, is_built
    clock: Clock, SYSTEM_CLOCK
    connections: Cause, CONFIDENTIAL, Connection, Credentials, StrangerError, sweep_folders
    messages: Answer, Fault, FittedClock, Hello, Lost, Message, Missing, Placed, ProtocolError,
        read_records, Result, Surroundings, Traced
    patterns: Capability, cell_of, CORNERS, NO_WINDOWS, parse_choice, parse_description, Pattern,
        PatternChoice, pieces, Problem
    progress: answered, elsewhere, is_answer, question, RankState, read_state, report
    server: ControlServer

For: measure, scripted, simulate.
Never: plans, statistics, run directories.
"""
