#include "core/edges.h"

#include <stdlib.h>

#include "core/memory.h"

bool edges_valid(int count, const int *neighbours, const int *weights, int size)
{
    if (count < 0 || (count > 0 && (!neighbours || !weights)))
        return false;
    for (int k = 0; k < count; k++)
        if (neighbours[k] < 0 || neighbours[k] >= size || edges_weight(weights, k) < 0)
            return false;
    return true;
}

int edges_weight(const int *weights, int k)
{
    return weights == MPI_UNWEIGHTED ? 1 : weights[k];
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

bool edges_gather(MPI_Comm comm, int64_t count, const struct edge *edges, struct whole_graph *whole)
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

struct map_pattern edges_pattern(const struct whole_graph *whole, int ranks)
{
    return (struct map_pattern){.kind = MAP_GRAPH,
                                .ranks = ranks,
                                .starts = whole->starts,
                                .neighbours = whole->neighbours,
                                .edge_weights = whole->weights};
}

void edges_free(struct whole_graph *whole)
{
    free(whole->starts);
    free(whole->neighbours);
    free(whole->weights);
}
