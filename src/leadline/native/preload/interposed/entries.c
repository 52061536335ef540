/**
 * The C functions that the program calls instead of its library's. No header of a library is
 * known here, so that handles of any library pass unharmed.
 */
#include "interposed/entries.h"

#include <stddef.h>

#include "interposed/library.h"

static _Thread_local int depth; /**< a library's Fortran calls its C, which must not map again */

const struct core *entry_begin(intptr_t comm, int reorder)
{
    return depth++ == 0 && reorder ? library_core(comm) : NULL;
}

void entry_end(void)
{
    depth--;
}

bool entry_is_within(void)
{
    return depth > 0;
}

typedef int cart_create(intptr_t comm, int ndims, const int *dims, const int *periods, int reorder,
                        void *newcomm);

INTERPOSED cart_create MPI_Cart_create;

int MPI_Cart_create(intptr_t comm, int ndims, const int *dims, const int *periods, int reorder,
                    void *newcomm)
{
    const struct cartesian_call call = {comm, ndims, dims, periods};
    const struct core *core = entry_begin(comm, reorder);
    int status = 0;
    if (!core || !core->cart_create(&call, newcomm, &status))
        status = ((cart_create *)library_next("MPI_Cart_create"))(comm, ndims, dims, periods,
                                                                  reorder, newcomm);
    entry_end();
    return status;
}
