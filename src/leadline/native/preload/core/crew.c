#include "core/crew.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/memory.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int keyval = MPI_KEYVAL_INVALID;

static int forget(MPI_Comm comm, int key, void *crew, void *unused)
{
    (void)comm, (void)key, (void)unused;
    free(crew);
    return MPI_SUCCESS;
}

static void make_keyval(void)
{
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
}

struct crew *crew_of(MPI_Comm comm)
{
    struct crew *crew = NULL;
    int found = 0;
    pthread_once(&once, make_keyval);
    PMPI_Comm_get_attr(comm, keyval, (void *)&crew, &found);
    if (found)
        return crew;
    crew = memory_of(comm, 1, sizeof *crew);
    crew->node = -1;
    PMPI_Comm_set_attr(comm, keyval, crew);
    return crew;
}
