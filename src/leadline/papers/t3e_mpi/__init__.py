"""Frese and Knipp's comparison of MPICH and Cray MPI on the T3E, made over the MPIs of today.

Konrad-Zuse-Zentrum Berlin: a Cray T3E-900 of 256 PEs in dedicated mode, MPICH 1.1 and the Cray MPI
of MPT 1.3. figures.csv has the numbers of the text; of the drawings, figures 1 to 5, only which
line is upper can be seen. Its MByte/s are taken for 10^6 bytes/s where messages go from one PE to
another (342 times 2^20 would be faster than the hardware's own library), and for 2^20 in the
broadcast, whose bandwidths are its times only so.
"""

KEY = "t3e-mpi"
TITLE = "Performance Evaluation of MPI and MPICH on the Cray T3E"
SOURCE = f'H.-H. Frese, H. Knipp, "{TITLE}", Konrad-Zuse-Zentrum für Informationstechnik Berlin'
ZIB = "Cray T3E-900 (ZIB)"
LIBRARIES = {"mpich": "MPICH 1.1", "cray-mpi": "Cray MPI (MPT 1.3)"}
"""By their names in ids."""
