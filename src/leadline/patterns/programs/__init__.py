"""What each rank calls where a pattern is carried out: the log that backend `trace` would write.

They are written by hand, beside the loops in C. A log holds what the kernel's fallbacks send, not
the algorithm that a machine file names for a collective; and it takes a compiler and a process for
each pattern, which `calibrate` and a simulation do without. Where both can be had, a test holds
them equal, call by call.
"""
