"""This end of native/kernels: kernels are built, described, commanded and watched.

Public:
    build: Additions, build_kernel, describe
    connection: Connection
    messages: Fault, Hello, Message, Placed, ProtocolError, read_records, Result, Surroundings,
        Traced
    patterns: Capability, cell_of, CORNERS, NO_WINDOWS, parse_choice, Pattern, PatternChoice
    placements: pieces
    progress: elsewhere, RankState, read_state, report
    server: address_towards, ControlServer

For: measure.
Never: plans, statistics, run directories.
"""
