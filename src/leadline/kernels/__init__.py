"""This end of native/kernels: kernels are built, described, commanded and watched.

A kernel is one executable for one library: the patterns, the engine that times them, and the
library's backend. `build` compiles it, once for each library and source, and `description` reads
what it says of itself. A running kernel's ranks connect to `server`, directly or through the relay
of their host; `connections` lets in those that prove to know the launch's secret and refuses all
others; `messages` is the protocol, `placements` the commands that say which rank has which vertex
of a grid. `progress` reads the pages in which ranks record what they are doing, to say which one is
stuck. `clock` is the time by which all of this waits.

Public:
    build: Additions, build_kernel, describe, is_built
    clock: Clock, SYSTEM_CLOCK
    connections: Cause, CONFIDENTIAL, Connection, Credentials, sweep_folders, UnauthenticatedError
    description: Capability, parse_description
    messages: Answer, Fault, FittedClock, Hello, Lost, Message, Missing, Placed, ProtocolError,
        read_records, Result, Surroundings, Traced
    placements: pieces
    progress: answered, elsewhere, is_answer, question, RankState, read_state, report
    server: ControlServer

For: measure, scripted.
Never: plans, statistics, run directories.
"""
