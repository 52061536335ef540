"""Where ranks run: which host a rank is on, and what this host is.

Public:
    placement: Hosts, parse_hosts, THIS_HOST
    this_host: describe_machine, machine_caveats

For: backends, cli, measure.
Never: libraries, patterns, runs.
"""
