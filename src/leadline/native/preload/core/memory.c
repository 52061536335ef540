#include "core/memory.h"

#include <stdlib.h>

#include "saying.h"

void *memory_of(MPI_Comm comm, size_t count, size_t size)
{
    void *made = calloc(count ? count : 1, size);
    if (!made) {
        warn("no memory for the %zu bytes that mapping needs; LEADLINE_MAP=off runs without it",
             count * size);
        PMPI_Abort(comm, EXIT_FAILURE);
    }
    return made;
}
