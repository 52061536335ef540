"""Where ranks run: which host a rank is on, and what this host is.

Public:
    cores: parse_cores, seated, Seating, Site
    placement: Hosts, parse_hosts, THIS_HOST
    survey: survey, this_site
    this_host: describe_machine, machine_caveats

For: backends, cli, kernels, measure.
Never: libraries, patterns, runs.
"""
