"""Hosts on which ranks run: placement of ranks on hosts and cores, and facts about the hosts.

`placement` distributes ranks over hosts and `cores` over the cores of each. `schedulers` knows the
allocation of a batch system and how a command is run on another host; `survey` asks each host for
its name, machine and cores, `network` which of them reach each other, `this_host` has the facts of
this one. `emulated` makes hosts of namespaces on this machine, with links of a given latency and
rate; `cleanup` removes what a killed front-end has left.

Public:
    cleanup.identities: FileIdentity, started_with
    cleanup.notes: forget, is_guarded, LAUNCH, Note, note, noted_folder
    cleanup.sweep: end_processes, remove_folder, remove_old_folders, remove_segments, sweep, Swept
    cores: cores_of, parse_cores, repeated, seated, Seating, Site
    emulated.agent: enter, launcher_variables
    emulated.checking: checked, link_warnings
    emulated.cluster: Cluster, cluster_with, clusters, DEFAULT_PREFIX, emulated, EmulatedHost,
        hosts_of, HostState, leftovers, LinkCheck
    emulated.impairing: impair, start, stop
    emulated.impairment: HEALTHY, Impairment, parse_impairment
    emulated.lifecycle: down, hosts_up, parse_offsets, Removed, up
    emulated.link: EmulatedLink, LINKS, MOST_BITS_PER_S, parse_link, SEGMENT_HEADERS_BYTES,
        SWITCH_BITS_PER_S
    emulated.switch: Switch
    emulated.wire: switch_of
    network: apart, switches_of
    placement: DEFAULT_AGENT, Hosts, parse_hosts, THIS_HOST
    schedulers: BatchJob, job_for, LAUNCHERS, OWN, remote_shells_of, RemoteShell, SCHEDULERS, SLURM
    survey: survey, this_site, unanswering
    this_host: command_line, describe_machine, inherited_variables, Load, machine_warnings,
        present_load, shared_memory_is_short

For: backends, cli, kernels, measure, papers, report, scripted.
Never: libraries, patterns, runs.
"""
