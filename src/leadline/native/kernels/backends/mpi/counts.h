/** MPI 4 counts in MPI_Count, through functions of their own; before that a count is an int. */
#ifndef LEADLINE_MPI_COUNTS_H
#define LEADLINE_MPI_COUNTS_H

#include <limits.h>
#include <mpi.h>
#include <stdint.h>

#if MPI_VERSION >= 4
#define LARGE(function) function##_c
#define MOST_COUNTED (SIZE_MAX / 2)
typedef MPI_Count count_type;
typedef MPI_Aint displacement_type; /* in arrays of them */
#else
#define LARGE(function) function
#define MOST_COUNTED INT_MAX
typedef int count_type;
typedef int displacement_type;
#endif

#endif
