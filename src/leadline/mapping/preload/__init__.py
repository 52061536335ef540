"""Mapping that reaches programs nobody changed: a library that is loaded before their MPI.

Public:
    build: preload_library
    description: among, describe, on_hosts, SEPARATOR
    environment: ALL, FILE, MACHINE, METRIC, MOST_INLINE, NAMES, OFF, OUT, REACHES, REPORT, SWITCH

For: cli.
Never: starts the program, measures it.
"""
