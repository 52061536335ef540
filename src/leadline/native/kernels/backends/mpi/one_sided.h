/** The window of one-sided operations. */
#ifndef LEADLINE_MPI_ONE_SIDED_H
#define LEADLINE_MPI_ONE_SIDED_H

/** Frees it, if there is one; collective, before MPI_Finalize. */
void mpi_one_sided_close(void);

#endif
