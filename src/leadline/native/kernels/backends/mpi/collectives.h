/** What the files with collectives share: MPI's names for types and operators, and the grid. */
#ifndef LEADLINE_MPI_COLLECTIVES_H
#define LEADLINE_MPI_COLLECTIVES_H

#include <mpi.h>

extern MPI_Datatype mpi_datatypes[]; /* by enum tp_type */
extern MPI_Op mpi_operators[];       /* by enum tp_op */
extern MPI_Comm mpi_grid;            /* the ranks of MPI_COMM_WORLD, in the same order */

/** Sets them; collective, after MPI_Init. */
void mpi_collectives_open(void);

/** Frees the grid; collective, before MPI_Finalize. */
void mpi_collectives_close(void);

#endif
