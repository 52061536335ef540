"""Lopez-Pineda's comparison of SHMEM and PVM on shared memory, beside MPI and raw shared memory."""
