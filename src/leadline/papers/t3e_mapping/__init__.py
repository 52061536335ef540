"""Müller and Resch on the T3E's contention: neighbours far apart, and brought near.

Measured on emulated hosts; simulated, `placements` says where ranks of pairs and jobs lie.
"""
