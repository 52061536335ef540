"""Emulated hosts: what links carry, the switch's exactness, clocks between hosts, their health.

The goals are in bench/hosts_rates.py, bench/hosts_switch.py, bench/hosts_clocks.py and
bench/hosts_health.py. Needs root.
"""

from __future__ import annotations

from bench import hosts_clocks, hosts_health, hosts_rates, hosts_switch


def measure() -> dict[str, object]:
    """Every figure, and whether all goals are reached."""
    parts = [part.measure() for part in (hosts_rates, hosts_switch, hosts_clocks, hosts_health)]
    figures = {key: value for part in parts for key, value in part.items()}
    return figures | {"reached": all(part["reached"] for part in parts)}
