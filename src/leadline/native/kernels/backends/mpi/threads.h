/** The thread level that MPI is initialised with. */
#ifndef LEADLINE_MPI_THREADS_H
#define LEADLINE_MPI_THREADS_H

/** MPI_Init, or MPI_Init_thread with MPI_THREAD_MULTIPLE where LEADLINE_THREADS is set. */
void mpi_threads_init(int *argc, char ***argv);

#endif
