"""Clearing up after front-ends that were killed: nothing of a launch outlives it for long.

A front-end that is killed leaves its folders, what libraries keep in shared memory, and processes
that nobody ends. `notes` writes down what a process starts, before there is anything to lose, and
has a guard wait for its end; `sweep` removes what such notes name and nothing else, be it called by
the guard or by the next front-end of the same user; `identities` tells a file, a folder or a
process from another that has its name or number by now.
"""
