"""Emulated cluster on this machine: hosts that are namespaces, links that are shaped.

Everything is a process or ends with one: a namespace holder keeps a host's namespaces, another
those of the wire between hosts. `link` describes what a link carries, `cluster` the hosts that are
up; `lifecycle` makes and removes them, `agent` runs commands on them. `wire` joins them: by devices
of the kernel, or by `switch`, a process in place of the wire that gives every frame its exact time.
`impairing` makes a host or its link worse on purpose.
"""
