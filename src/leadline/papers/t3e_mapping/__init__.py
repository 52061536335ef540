"""Müller and Resch on the T3E's contention: neighbours far apart, and brought near.

A Cray T3E-900 in Stuttgart: PEs on a torus of three axes, of which MPI_Cart_create without
reordering takes no notice; with it ranks are sorted over the axes. figures.csv has its three
tables, and what the text says of its figures, which are drawings. Its MB are taken for 10^6 bytes,
its exchanges of "4MB", a hundred at a time, for 4 * 10^6.

Measured on emulated hosts; simulated, `placements` says where ranks of pairs and jobs lie.
"""

KEY = "t3e-mapping"
TITLE = "PE mapping and the contention problem on the T3E"
SOURCE = f'M. Müller, M. M. Resch, "{TITLE}", University of Stuttgart, 1998'
