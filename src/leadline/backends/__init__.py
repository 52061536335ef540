"""The libraries on this machine: what is known of each, and how it is found and launched.

A Backend is one message-passing library on this machine. `kinds` has the facts of each library,
whatever machine it is on: names, standards, sources of its kernel, launcher. `discovery` finds the
libraries that are here and tries each: its wrapper compiles a program, its launcher starts it.
`launchers` makes the command lines that start ranks, one small class a launcher, and starts
nothing. `recognition` identifies a library by what its programs print; `install` fetches one from
PyPI; `preparation` makes a command's folders and removes stale files before it is used.

Public:
    backend: Backend, UNKNOWN, usable_name
    discovery: find_backends, of_wrappers, select
    discovery.launched: is_no_shmem, launched, shmem_backend
    discovery.probe: transport_used
    discovery.smpi: find_smpi
    install: install, parse_requirement
    kinds: INSTALLABLE, is_raw, Kind, KINDS, launcher_for, limits, title_of
    kinds.kind: PROCESS_BYTES, USUAL_BYTES_PER_S
    launchers: Command, JobStep, Launcher
    launchers.forwarding: hostfile_named, hosts_named, PRELOAD
    launchers.relays: relayed
    preparation: batch_job, loopback_address, prepare
    recognition: is_launcher

For: cli, compare, kernels, measure, papers, report, scripted, simulate.
Never: patterns, plans, runs; who asks.
"""
