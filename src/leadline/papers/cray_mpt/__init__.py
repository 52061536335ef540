"""Lopez-Pineda's comparison of SHMEM and PVM on shared memory, beside MPI and raw shared memory.

Cray Research, on MPT's first release (1996): a CRAY T3D of 128 PEs (distributed memory, barriers in
hardware) and a CRAY J90 of 32 CPUs (shared memory). Its Mbytes are taken for 10^6 bytes.
figures.csv has its four tables, NAS MG, and what was tested.
"""

KEY = "cray-mpt"
TITLE = "PVP SHMEM and PVM Performance Issues Using MPT"
SOURCE = f'E. Lopez-Pineda, "{TITLE}", Cray Research'
