"""Cleanup of stale processes and files after front-ends that were killed.

A front-end that is killed leaves its folders, its libraries' files in shared memory, and processes
that nobody ends. `notes` records what a process starts, before there is anything to lose, and has a
guard wait for its end; `sweep` removes what such records name and nothing else, called by the guard
or by the next front-end of the same user; `identities` distinguishes a file, folder or process from
another that has its name or number by now.
"""
