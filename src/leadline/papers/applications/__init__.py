"""Programs, not patterns: which library makes them faster, why, and would a model have told?

NAS MG by messages and by puts with flags, and a STAP pipeline, over every library in the same
blocks; models are fitted to patterns of the same run. `measured` reads these.
"""
