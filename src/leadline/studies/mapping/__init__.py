"""The paper on the T3E's contention, on emulated hosts: neighbours far apart, and brought near.

Here: `study` is the whole; `stages`, `tables` and `claims` its parts; `times` what they take.
"""
