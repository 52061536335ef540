"""Machines you don't have: what a program's messages would take on a described machine.

A machine file becomes a Machine; a pattern becomes the calls of its ranks; these become tasks that
wait for each other and share the machine's links; the C library in native/flow says when each ends.
`smpi` has SimGrid's smpirun run any MPI program on a machine file instead.

Public:
    calibration: by_pattern, calibrated, Calibration, ErrorSpread, SimulatedTimes, spread_of
    campaign: check_placements, DEFAULT, MAPPINGS, PAPER, Setup, simulated, SimulatedJob,
        Simulation, write_run
    flow: flow, TaskGraph
    machine: Crowd, MachineModel, ProfilePiece
    machine_files: machine_named, machine_text, shipped_names
    message_costs: SimulatedCell
    replay: check_replayable, RankRow, Replayed, replayed_jobs, ReplayedJob, replays
    routes: fabric_of
    smpi.launch: algorithms, smpi_launch, SmpiLaunch
    smpi.running: check_program, run_program
    what_if: changed, suffix_of

For: cli, papers, report.
Never: measuring, the time of day; how a simulated run is printed or drawn.
"""
