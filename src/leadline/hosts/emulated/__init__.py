"""An emulated cluster on this machine: hosts that are namespaces, links that are shaped.

Everything that exists is a process or dies with one: a keeper holds a host's namespaces, another
those of the wire between them. `link` says what a link carries, `cluster` which hosts are up,
`lifecycle` makes and removes them, `agent` runs commands on them. `wire` joins them: by devices of
the kernel, or by `switch`, a process that takes the place of the wire where every frame is to have
its exact time. `impairing` makes a host or its link worse on purpose.
"""
