"""Machine files for SimGrid's smpirun, which runs MPI programs on them as they are."""
