"""Frese and Knipp's comparison of MPICH and Cray MPI on the T3E, made over the MPIs of today."""
