"""Where ranks run: which host and core a rank is on, and what hosts say of themselves.

Public:
    cores: cores_of, parse_cores, repeated, seated, Seating, Site
    doors: Door, doors_of
    emulated.caveats: link_caveats
    emulated.checking: checked
    emulated.clocks: parse_offsets
    emulated.cluster: Cluster, cluster_with, clusters, DEFAULT_PREFIX, EmulatedHost, HostState,
        leftovers, LinkCheck
    emulated.down: down, Removed
    emulated.entering: enter, launcher_variables
    emulated.impairing: impair, start, stop
    emulated.impairment: HEALTHY, Impairment, parse_impairment
    emulated.link: EmulatedLink, LINKS, MOST_BITS_PER_S, parse_link, SEGMENT_HEADERS_BYTES,
        SWITCH_BITS_PER_S
    emulated.named: emulated, hosts_of
    emulated.switch: Switch
    emulated.up: hosts_up, up
    emulated.wiring: switch_of
    front_end: command_line, inherited_variables
    identities: FileIdentity, started_with
    placement: DEFAULT_AGENT, Hosts, parse_hosts, THIS_HOST
    reach: apart
    remains: end_processes, remove_folder, remove_old_folders, remove_segments, sweep, Swept
    schedulers: BatchJob, job_for, LAUNCHERS, OWN, SCHEDULERS, SLURM
    started: forget, is_guarded, LAUNCH, Note, note, noted_folder
    survey: survey, this_site, unanswering
    switches: switches_of
    this_host: describe_machine, Load, machine_caveats, present_load, shared_memory_is_short

For: backends, cli, kernels, measure, report, scripted, studies.
Never: libraries, patterns, runs.
"""
