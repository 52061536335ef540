"""Networks, allocations and who talks to whom, and the texts that describe them.

Public:
    allocation: Allocation, first_slots, furnished, Inside, listed_slots, slots_without, t3e_slots
    communication: Communication, Graph, Grid, messages_on
    even_grids: even_grids, evenness
    job: check_fit, Job, label_of, ranks_of
    networks: Float64, Int64, Machine, Network, Torus, Tree
    partition: Partition, partitions
    phases: CallKind, MESSAGES, parse_calls, Phase, Trace, trace_of
    readers.coordinates: parse_coordinates
    readers.graph: parse_graph
    readers.hostfile: parse_hostfile
    readers.hostlist: expand_hosts
    readers.hwloc: parse_hwloc, parse_processors
    readers.lines: LineError, NumberedLine
    readers.slots: parse_slots
    readers.slurm: parse_slurm_switches, parse_slurm_topology
    schedules: Action, ActionKind, schedule_of
    words.dims: MOST_DIMS, MOST_SLOTS
    words.grid: domain_grid, open_grid, parse_grid
    words.synthetic: cores_per_node, COUNTED_KINDS, FILE_KINDS, split_description,
        SYNTHETIC_KINDS, synthetic_machine

For: cli, hosts, mapping, measure, report, reproduce, simulate, studies.
Never: files (texts are handed in); message passing; how a mapping is sought.
"""
