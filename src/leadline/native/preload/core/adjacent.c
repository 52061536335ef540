/**
 * What a process tells are the neighbours of the rank that it has before: they go, in their order
 * and with their weights, to the process that takes this rank.
 */
#include "core/adjacent.h"

#include <stdlib.h>
#include <string.h>

#include "core/creation.h"
#include "core/graph.h"
#include "core/memory.h"

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

static int length(const struct parcel *parcel)
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
    parcel.ints = memory_of(comm, (size_t)length(&parcel), sizeof *parcel.ints);
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
    got->ints = memory_of(moved, (size_t)length(got), sizeof *got->ints);
    return PMPI_Sendrecv(mine->ints, length(mine), MPI_INT, to, TAG, got->ints, length(got),
                         MPI_INT, from, TAG, moved, MPI_STATUS_IGNORE);
}

static const int *weights_in(const struct parcel *parcel, int side)
{
    const int *ranks = parcel->ints + (side ? side_length(parcel, 0) : 0);
    if (parcel->unweighted[side])
        return MPI_UNWEIGHTED;
    return parcel->degree[side] ? ranks + parcel->degree[side] : MPI_WEIGHTS_EMPTY;
}

/** The call as the process that takes the rank is to make it. */
static struct adjacent_call unpack(const struct parcel *parcel, MPI_Comm moved, intptr_t info)
{
    return (struct adjacent_call){
        .comm = (intptr_t)moved,
        .indegree = parcel->degree[0],
        .sources = parcel->ints,
        .sourceweights = weights_in(parcel, 0),
        .outdegree = parcel->degree[1],
        .destinations = parcel->ints + side_length(parcel, 0),
        .destweights = weights_in(parcel, 1),
        .info = info,
    };
}

static int create(const struct adjacent_call *call, int reorder, MPI_Comm *made)
{
    return PMPI_Dist_graph_create_adjacent((MPI_Comm)call->comm, call->indegree, call->sources,
                                           call->sourceweights, call->outdegree, call->destinations,
                                           call->destweights, (MPI_Info)call->info, reorder, made);
}

static int plainly(const void *call, MPI_Comm *made)
{
    return create(call, 1, made);
}

static int make(const void *given, const struct seat *seat, MPI_Comm moved, MPI_Comm *made)
{
    const struct adjacent_call *call = given;
    int old_rank;
    if (!seat->moves)
        return create(call, 0, made);
    struct parcel got = {0}, mine = pack(call, moved);
    int status = PMPI_Comm_rank((MPI_Comm)call->comm, &old_rank);
    if (status == MPI_SUCCESS)
        status = exchange(moved, &mine, old_rank, seat->next, &got);
    if (status == MPI_SUCCESS) {
        const struct adjacent_call here = unpack(&got, moved, call->info);
        status = create(&here, 0, made);
    }
    free(mine.ints);
    free(got.ints);
    return status;
}

static bool seat_in(const void *given, MPI_Comm comm, struct seat *seat)
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
    const struct creation creation = {(MPI_Comm)call->comm, call, plainly, seat_in, make};
    if (!newcomm || !seats_possible(creation.comm))
        return false;
    return creation_run(&creation, newcomm, status);
}
