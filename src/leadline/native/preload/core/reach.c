#include "core/reach.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/notices.h"
#include "core/settings.h"
#include "saying.h"

enum { TAG = 0 /**< to and from nobody but this library, in a communicator that is new */ };

/** A process's neighbours in a binary tree of ranks, MPI_PROC_NULL those that lack the library. */
struct kin {
    int parent, children[2];
    bool complete; /**< none does */
};

static pthread_once_t announced = PTHREAD_ONCE_INIT;
static bool heard; /**< notices can be posted, and the own one is found */

static void name_of(int world_rank, char *name)
{
    snprintf(name, NOTICE_NAME_BYTES, "here-%d", world_rank);
}

/** Processes that were spawned have their parents' notices under the names of their own. */
static bool is_spawned(void)
{
    MPI_Comm parent = MPI_COMM_NULL;
    return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}

static void announce(void)
{
    char name[NOTICE_NAME_BYTES];
    int rank;
    if (is_spawned() || !notices_kept())
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    name_of(rank, name);
    notices_post(name, "here");
    heard = notices_has(name);
    if (heard)
        saying_asks(notices_claim);
}

void reach_announce(void)
{
    int has_world = 0; /* sessions may be used before there is one, by some ranks only */
    PMPI_Initialized(&has_world);
    if (has_world)
        pthread_once(&announced, announce);
}

/** The ranks in MPI_COMM_WORLD of `count` ranks of `comm`; MPI_UNDEFINED those from elsewhere. */
static void translate(MPI_Comm comm, int count, const int *ranks, int *world_ranks)
{
    MPI_Group all, world;
    PMPI_Comm_group(comm, &all);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(all, count, ranks, world, world_ranks);
    PMPI_Group_free(&all);
    PMPI_Group_free(&world);
}

/** `rank` of `comm`, or MPI_PROC_NULL where it lacks the library. */
static int if_heard(MPI_Comm comm, int rank, struct kin *kin)
{
    char name[NOTICE_NAME_BYTES];
    int world_rank;
    translate(comm, 1, &rank, &world_rank);
    name_of(world_rank, name);
    if (world_rank != MPI_UNDEFINED && notices_has(name))
        return rank;
    kin->complete = false;
    return MPI_PROC_NULL;
}

static struct kin kin_of(MPI_Comm comm)
{
    struct kin kin = {MPI_PROC_NULL, {MPI_PROC_NULL, MPI_PROC_NULL}, true};
    int rank, size;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (rank > 0)
        kin.parent = if_heard(comm, (rank - 1) / 2, &kin);
    for (int which = 0; which < 2; which++)
        if (2 * rank + 1 + which < size)
            kin.children[which] = if_heard(comm, 2 * rank + 1 + which, &kin);
    return kin;
}

/** Up the tree whether all are there, and down again what its root then knows. */
static bool agree(MPI_Comm comm, const struct kin *kin)
{
    int all = kin->complete;
    for (int which = 0; which < 2; which++) {
        int below = 1;
        PMPI_Recv(&below, 1, MPI_INT, kin->children[which], TAG, comm, MPI_STATUS_IGNORE);
        all = all && below;
    }
    PMPI_Send(&all, 1, MPI_INT, kin->parent, TAG, comm);
    PMPI_Recv(&all, 1, MPI_INT, kin->parent, TAG, comm, MPI_STATUS_IGNORE);
    for (int which = 0; which < 2; which++)
        PMPI_Send(&all, 1, MPI_INT, kin->children[which], TAG, comm);
    return all;
}

/** Whether the user gave their word, and no process of another world is in `comm`. */
static bool is_promised(MPI_Comm comm)
{
    int size, has_world = 0;
    if (!settings_reaches_all())
        return false;
    PMPI_Initialized(&has_world);
    if (!has_world)
        return true;
    PMPI_Comm_size(comm, &size);
    int *ranks = memory_of(comm, 2 * (size_t)size, sizeof *ranks), known = 0;
    for (int rank = 0; rank < size; rank++)
        ranks[rank] = rank;
    translate(comm, size, ranks, ranks + size);
    while (known < size && ranks[size + known] != MPI_UNDEFINED)
        known++;
    free(ranks);
    return known == size;
}

enum reach reach_promised(MPI_Comm comm, const char *why)
{
    int rank = 0;
    if (is_promised(comm))
        return REACH_ALL;
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        warn("whether every rank has this library can't be told, %s; ranks stay; "
             "LEADLINE_MAP_REACHES=all is your word that they have it",
             why);
    return REACH_SOME;
}

enum reach reach_ask(MPI_Comm comm)
{
    if (!heard)
        return reach_promised(comm, is_spawned() ? "where ranks were spawned"
                                                 : "where the launcher keeps no names");
    const struct kin kin = kin_of(comm);
    if (agree(comm, &kin))
        return REACH_ALL;
    if (kin.parent == MPI_PROC_NULL)
        warn("only some ranks have this library, since LD_PRELOAD wasn't passed on to all; ranks "
             "stay; leadline exec --map passes it on");
    return REACH_SOME;
}
