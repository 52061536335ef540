#include "core/graph.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/creation.h"
#include "core/memory.h"
#include "core/seats.h"
#include "mapping.h"

/* -- edges ------------------------------------------------------------------------------------- */

/* Of which each rank knows some, brought together at rank 0. */

/** From one rank to another, and how heavy. */
struct edge {
    int source, destination, weight;
};

/** What rank 0 has of all edges, to be freed by edges_free. */
struct whole_graph {
    int64_t *starts;
    int64_t *neighbours;
    double *weights;
};

/** The weight of edge `k`. */
static int edges_weight(const int *weights, int k)
{
    return weights == MPI_UNWEIGHTED ? 1 : weights[k];
}

/**
 * Whether `count` neighbours are ranks below `size`, with weights that are none below 0; `weights`
 * may be MPI_UNWEIGHTED.
 */
static bool edges_valid(int count, const int *neighbours, const int *weights, int size)
{
    if (count < 0 || (count > 0 && (!neighbours || !weights)))
        return false;
    for (int k = 0; k < count; k++)
        if (neighbours[k] < 0 || neighbours[k] >= size || edges_weight(weights, k) < 0)
            return false;
    return true;
}

/** Whether all ranks' edges are valid, and few enough to be counted by an int. */
static bool all_valid(MPI_Comm comm, int64_t count)
{
    const int64_t mine[2] = {count < 0 ? 0 : count, count < 0};
    int64_t sums[2];
    if (PMPI_Allreduce(mine, sums, 2, MPI_INT64_T, MPI_SUM, comm) != MPI_SUCCESS)
        return false;
    return sums[1] == 0 && sums[0] <= INT32_MAX / 2;
}

/** Sorts `count` edges by their source. */
static void index_edges(MPI_Comm comm, const struct edge *all, int64_t count, int ranks,
                        struct whole_graph *whole)
{
    whole->starts = memory_of(comm, (size_t)ranks + 2, sizeof *whole->starts);
    whole->neighbours = memory_of(comm, (size_t)count, sizeof *whole->neighbours);
    whole->weights = memory_of(comm, (size_t)count, sizeof *whole->weights);
    for (int64_t k = 0; k < count; k++)
        whole->starts[all[k].source + 2]++;
    for (int rank = 0; rank < ranks; rank++)
        whole->starts[rank + 2] += whole->starts[rank + 1];
    for (int64_t k = 0; k < count; k++) {
        const int64_t at = whole->starts[all[k].source + 1]++;
        whole->neighbours[at] = all[k].destination;
        whole->weights[at] = all[k].weight;
    }
}

/** Where each rank's edges begin among all, to `begins` ([ranks]); returns how many there are. */
static int add_up(const int *counts, int ranks, int *begins)
{
    int sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
        begins[rank] = sum;
        sum += counts[rank];
    }
    return sum;
}

/** What rank 0 does of it, after all said how many edges they have. */
static int collect(MPI_Comm comm, MPI_Datatype item, const struct edge *mine, const int *counts,
                   struct whole_graph *whole)
{
    int ranks;
    PMPI_Comm_size(comm, &ranks);
    int *begins = memory_of(comm, (size_t)ranks, sizeof *begins);
    const int count = add_up(counts, ranks, begins);
    struct edge *all = memory_of(comm, (size_t)count, sizeof *all);
    const int status = PMPI_Gatherv(mine, counts[0], item, all, counts, begins, item, 0, comm);
    if (status == MPI_SUCCESS)
        index_edges(comm, all, count, ranks, whole);
    free(all);
    free(begins);
    return status;
}

static int gather(MPI_Comm comm, MPI_Datatype item, int count, const struct edge *mine,
                  struct whole_graph *whole)
{
    int rank, ranks, *counts = NULL;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    if (rank == 0)
        counts = memory_of(comm, (size_t)ranks, sizeof *counts);
    int status = PMPI_Gather(&count, 1, MPI_INT, counts, 1, MPI_INT, 0, comm);
    if (status == MPI_SUCCESS && rank == 0)
        status = collect(comm, item, mine, counts, whole);
    else if (status == MPI_SUCCESS)
        status = PMPI_Gatherv(mine, count, item, NULL, NULL, NULL, item, 0, comm);
    free(counts);
    return status;
}

/**
 * All ranks of `comm` call this, each with its `count` edges, or -1 where its arguments are wrong.
 * Returns false at all where some rank's are, where they are too many, or where the library fails;
 * else `whole` is filled at rank 0.
 */
static bool edges_gather(MPI_Comm comm, int64_t count, const struct edge *edges,
                         struct whole_graph *whole)
{
    MPI_Datatype item;
    *whole = (struct whole_graph){0};
    if (!all_valid(comm, count))
        return false;
    if (PMPI_Type_contiguous(sizeof *edges / sizeof(int), MPI_INT, &item) != MPI_SUCCESS ||
        PMPI_Type_commit(&item) != MPI_SUCCESS)
        return false;
    const int status = gather(comm, item, (int)count, edges, whole);
    PMPI_Type_free(&item);
    return status == MPI_SUCCESS;
}

/** The whole graph of `ranks` ranks, as native/mapping wants it. */
static struct map_pattern edges_pattern(const struct whole_graph *whole, int ranks)
{
    return (struct map_pattern){.kind = MAP_GRAPH,
                                .ranks = ranks,
                                .starts = whole->starts,
                                .neighbours = whole->neighbours,
                                .edge_weights = whole->weights};
}

/** Frees what edges_gather filled, or nothing where it is all zeros. */
static void edges_free(struct whole_graph *whole)
{
    free(whole->starts);
    free(whole->neighbours);
    free(whole->weights);
}

/* -- MPI_Dist_graph_create --------------------------------------------------------------------- */

enum { MOST_TITLE = 80 };

/**
 * The seat of this process in a graph, for `function`, of which it knows `count` edges, or -1 where
 * its arguments are wrong. Returns false as seats_find, or where some rank's arguments are wrong.
 */
static bool graph_seat(const char *function, MPI_Comm comm, int64_t count, const struct edge *edges,
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
    __typeof__(PMPI_Dist_graph_create) *own = (__typeof__(PMPI_Dist_graph_create) *)call->own;
    return own(comm, call->n, call->sources, call->degrees, call->destinations, call->weights,
               (MPI_Info)call->info, reorder, made);
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

/* -- MPI_Dist_graph_create_adjacent ------------------------------------------------------------ */

/*
 * What a process tells are the neighbours of the rank that it has before: they go, in their order
 * and with their weights, to the process that takes this rank.
 */

enum { TAG = 0 /**< on a communicator of our own */ };

/** Neighbours as ints: each side's ranks, then its weights where it has any. */
struct parcel {
    int degree[2];     /**< in, out */
    int unweighted[2]; /**< 1: MPI_UNWEIGHTED */
    int *ints;
};
enum { HEAD = 4 };

static int side_length(const struct parcel *parcel, int side)
{
    return parcel->degree[side] * (parcel->unweighted[side] ? 1 : 2);
}

static int parcel_length(const struct parcel *parcel)
{
    return side_length(parcel, 0) + side_length(parcel, 1);
}

static void pack_side(const struct parcel *parcel, int side, const int *ranks, const int *weights)
{
    int *at = parcel->ints + (side ? side_length(parcel, 0) : 0);
    const size_t bytes = (size_t)parcel->degree[side] * sizeof *at;
    if (bytes == 0)
        return;
    memcpy(at, ranks, bytes);
    if (!parcel->unweighted[side])
        memcpy(at + parcel->degree[side], weights, bytes);
}

static struct parcel pack(const struct adjacent_call *call, MPI_Comm comm)
{
    struct parcel parcel = {
        .degree = {call->indegree, call->outdegree},
        .unweighted = {call->sourceweights == MPI_UNWEIGHTED, call->destweights == MPI_UNWEIGHTED},
    };
    parcel.ints = memory_of(comm, (size_t)parcel_length(&parcel), sizeof *parcel.ints);
    pack_side(&parcel, 0, call->sources, call->sourceweights);
    pack_side(&parcel, 1, call->destinations, call->destweights);
    return parcel;
}

/** Sends `mine` to rank `to` of `moved` and gets that of rank `from`; MPI_SUCCESS or an error. */
static int exchange(MPI_Comm moved, const struct parcel *mine, int to, int from, struct parcel *got)
{
    int status = PMPI_Sendrecv(mine->degree, HEAD, MPI_INT, to, TAG, got->degree, HEAD, MPI_INT,
                               from, TAG, moved, MPI_STATUS_IGNORE);
    if (status != MPI_SUCCESS)
        return status;
    got->ints = memory_of(moved, (size_t)parcel_length(got), sizeof *got->ints);
    return PMPI_Sendrecv(mine->ints, parcel_length(mine), MPI_INT, to, TAG, got->ints,
                         parcel_length(got), MPI_INT, from, TAG, moved, MPI_STATUS_IGNORE);
}

static const int *weights_in(const struct parcel *parcel, int side)
{
    const int *ranks = parcel->ints + (side ? side_length(parcel, 0) : 0);
    if (parcel->unweighted[side])
        return MPI_UNWEIGHTED;
    return parcel->degree[side] ? ranks + parcel->degree[side] : MPI_WEIGHTS_EMPTY;
}

/** The call as the process that takes the rank is to make it. */
static struct adjacent_call unpack(const struct parcel *parcel, MPI_Comm moved,
                                   const struct adjacent_call *call)
{
    return (struct adjacent_call){
        .comm = (intptr_t)moved,
        .indegree = parcel->degree[0],
        .sources = parcel->ints,
        .sourceweights = weights_in(parcel, 0),
        .outdegree = parcel->degree[1],
        .destinations = parcel->ints + side_length(parcel, 0),
        .destweights = weights_in(parcel, 1),
        .info = call->info,
        .own = call->own,
    };
}

static int create_adjacent(const struct adjacent_call *call, int reorder, MPI_Comm *made)
{
    __typeof__(PMPI_Dist_graph_create_adjacent) *own =
        (__typeof__(PMPI_Dist_graph_create_adjacent) *)call->own;
    return own((MPI_Comm)call->comm, call->indegree, call->sources, call->sourceweights,
               call->outdegree, call->destinations, call->destweights, (MPI_Info)call->info,
               reorder, made);
}

static int plainly_adjacent(const void *call, MPI_Comm *made)
{
    return create_adjacent(call, 1, made);
}

static int make_adjacent(const void *given, const struct seat *seat, MPI_Comm moved, MPI_Comm *made)
{
    const struct adjacent_call *call = given;
    int old_rank;
    if (!seat->moves)
        return create_adjacent(call, 0, made);
    struct parcel got = {0}, mine = pack(call, moved);
    int status = PMPI_Comm_rank((MPI_Comm)call->comm, &old_rank);
    if (status == MPI_SUCCESS)
        status = exchange(moved, &mine, old_rank, seat->next, &got);
    if (status == MPI_SUCCESS) {
        const struct adjacent_call here = unpack(&got, moved, call);
        status = create_adjacent(&here, 0, made);
    }
    free(mine.ints);
    free(got.ints);
    return status;
}

static bool seat_among_adjacent(const void *given, MPI_Comm comm, struct seat *seat)
{
    const struct adjacent_call *call = given;
    int size, rank;
    if (PMPI_Comm_size(comm, &size) != MPI_SUCCESS || PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS)
        return false;
    const bool valid = edges_valid(call->indegree, call->sources, call->sourceweights, size) &&
                       edges_valid(call->outdegree, call->destinations, call->destweights, size) &&
                       (int64_t)call->indegree + call->outdegree <= INT32_MAX / 2;
    const int count = valid ? call->outdegree : 0;
    struct edge *edges = memory_of(comm, (size_t)count, sizeof *edges);
    for (int k = 0; k < count; k++)
        edges[k] = (struct edge){rank, call->destinations[k], edges_weight(call->destweights, k)};
    const bool found =
        graph_seat("MPI_Dist_graph_create_adjacent", comm, valid ? count : -1, edges, seat);
    free(edges);
    return found;
}

bool adjacent_create(const struct adjacent_call *call, void *newcomm, int *status)
{
    const struct creation creation = {(MPI_Comm)call->comm, call, plainly_adjacent,
                                      seat_among_adjacent, make_adjacent};
    if (!newcomm || !seats_possible(creation.comm))
        return false;
    return creation_run(&creation, newcomm, status);
}
