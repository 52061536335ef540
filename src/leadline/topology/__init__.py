"""Networks, allocations and who talks to whom, and the texts that describe them.

`networks` describes machines and their distances, `allocation` the slots of one that a job got,
`communication` who sends how much to whom; `job` joins the three. `words` parses their descriptions
on command lines, `readers` the files of launchers, schedulers and hwloc. `phases` and `schedules`
make traffic of a trace: phase by phase, or as a schedule that can be executed.

Public:
    allocation: Allocation, first_slots, furnished, Inside, listed_slots, slots_without, t3e_slots
    communication: Communication, even_grids, evenness, Graph, Grid, messages_on
    job: check_fit, Job, label_of, partitions, ranks_of
    networks: Float64, Int64, Machine, MOST_DIMS, MOST_SLOTS, Network, Torus, Tree
    phases: CallKind, MESSAGES, parse_calls, Phase, Trace, trace_of
    readers.graph: parse_graph
    readers.hostlist: expand_hosts
    readers.hosts: parse_coordinates, parse_hostfile
    readers.hwloc: parse_hwloc, parse_processors
    readers.lines: LineError, NumberedLine
    readers.slots: parse_slots
    readers.slurm: parse_slurm_switches, parse_slurm_topology
    schedules: Action, ActionKind, schedule_of
    words: cores_per_node, COUNTED_KINDS, domain_grid, FILE_KINDS, open_grid, parse_grid,
        split_description, SYNTHETIC_KINDS, synthetic_machine

For: cli, hosts, mapping, measure, papers, patterns, report, simulate.
Never: files (texts are handed in); message passing; how a mapping is sought.
"""
