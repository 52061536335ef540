"""Programs instead of patterns: which library is faster, why, and is it as models predict?

NAS MG by messages and by puts with flags, and a STAP pipeline, over every library in the same
blocks; models are fitted to patterns of the same run. `measured` reads these.
"""
