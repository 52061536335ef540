"""Mapping for unmodified programs: a library that is loaded before their MPI.

Public:
    build: preload_library
    description: ALL, among, describe, FILE, MACHINE, METRIC, MOST_INLINE, NAMES, OFF, on_hosts,
        OUT, REACHES, REPORT, SEPARATOR, SWITCH

For: cli.
Never: starts the program, measures it.
"""
