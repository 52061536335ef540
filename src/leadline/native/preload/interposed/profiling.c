/**
 * The same functions by the names that a library's Fortran, and tools that measure its calls, reach
 * them by: PMPI_ instead of MPI_. All interfaces of Fortran come down to either name, their
 * handles and constants made C's by the library itself; so nothing of Fortran is known here.
 */
#include "interposed/entries.h"
#include "interposed/library.h"

typedef int cart_create(intptr_t comm, int ndims, const int *dims, const int *periods, int reorder,
                        void *newcomm);

INTERPOSED cart_create PMPI_Cart_create;
cart_create MPI_Cart_create;

int PMPI_Cart_create(intptr_t comm, int ndims, const int *dims, const int *periods, int reorder,
                     void *newcomm)
{
    cart_create *next =
        entry_is_within() ? (cart_create *)library_next("PMPI_Cart_create") : MPI_Cart_create;
    return next(comm, ndims, dims, periods, reorder, newcomm);
}
