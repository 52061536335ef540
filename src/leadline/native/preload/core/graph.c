#include "core/graph.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/creation.h"
#include "core/memory.h"

enum { MOST_TITLE = 80 };

bool graph_seat(const char *function, MPI_Comm comm, int64_t count, const struct edge *edges,
                struct seat *seat)
{
    char title[MOST_TITLE];
    struct whole_graph whole;
    struct wish wish = {.comm = comm, .call = title};
    if (PMPI_Comm_size(comm, &wish.ranks) != MPI_SUCCESS)
        return false;
    snprintf(title, sizeof title, "%s of %d ranks", function, wish.ranks);
    bool found = edges_gather(comm, count, edges, &whole);
    wish.pattern = edges_pattern(&whole, wish.ranks);
    found = found && seats_find(&wish, seat);
    edges_free(&whole);
    return found;
}

/** How many edges this process tells of; -1: its arguments are wrong. */
static int64_t count_of(const struct graph_call *call, int size)
{
    int64_t count = 0;
    if (call->n < 0 || (call->n > 0 && (!call->sources || !call->degrees)))
        return -1;
    for (int k = 0; k < call->n; k++) {
        if (call->sources[k] < 0 || call->sources[k] >= size || call->degrees[k] < 0)
            return -1;
        count += call->degrees[k];
    }
    if (count > INT32_MAX || !edges_valid((int)count, call->destinations, call->weights, size))
        return -1;
    return count;
}

static void list_edges(const struct graph_call *call, struct edge *edges)
{
    int at = 0;
    for (int k = 0; k < call->n; k++)
        for (int of = 0; of < call->degrees[k]; of++, at++)
            edges[at] = (struct edge){call->sources[k], call->destinations[at],
                                      edges_weight(call->weights, at)};
}

static bool seat_in(const void *given, MPI_Comm comm, struct seat *seat)
{
    const struct graph_call *call = given;
    int size;
    if (PMPI_Comm_size(comm, &size) != MPI_SUCCESS)
        return false;
    const int64_t count = count_of(call, size);
    struct edge *edges = memory_of(comm, count < 0 ? 0 : (size_t)count, sizeof *edges);
    if (count > 0)
        list_edges(call, edges);
    const bool found = graph_seat("MPI_Dist_graph_create", comm, count, edges, seat);
    free(edges);
    return found;
}

static int create(const struct graph_call *call, MPI_Comm comm, int reorder, MPI_Comm *made)
{
    return PMPI_Dist_graph_create(comm, call->n, call->sources, call->degrees, call->destinations,
                                  call->weights, (MPI_Info)call->info, reorder, made);
}

static int plainly(const void *given, MPI_Comm *made)
{
    const struct graph_call *call = given;
    return create(call, (MPI_Comm)call->comm, 1, made);
}

/** An edge may be told by any process: it is one between new ranks as it stands. */
static int make(const void *call, const struct seat *seat, MPI_Comm comm, MPI_Comm *made)
{
    (void)seat;
    return create(call, comm, 0, made);
}

bool graph_create(const struct graph_call *call, void *newcomm, int *status)
{
    const struct creation creation = {(MPI_Comm)call->comm, call, plainly, seat_in, make};
    if (!newcomm || !seats_possible(creation.comm))
        return false;
    return creation_run(&creation, newcomm, status);
}
