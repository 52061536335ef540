"""Hwang, Wang and Wang's closed forms of collectives, over the MPIs of today and simulated.

`forms` fits what was measured, and computes a program by it; `closed_forms` fits what is simulated.
"""
