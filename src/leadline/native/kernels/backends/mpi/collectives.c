/** Collectives: MPI's own. */
#include "backends/mpi/collectives.h"

#include <stdio.h>
#include <stdlib.h>

#include "backends/mpi/counts.h"
#include "backends/mpi/requests.h"
#include "transport/transport.h"

/* -- blocks of one length ---------------------------------------------------------------------- */

const char tp_bcast_algorithm[] = "native";
const char tp_allreduce_algorithm[] = "native";
const char tp_reduce_algorithm[] = "native";
const char tp_reduce_scatter_algorithm[] = "native";
const char tp_scan_algorithm[] = "native";
const char tp_exscan_algorithm[] = "native";
const char tp_gather_algorithm[] = "native";
const char tp_scatter_algorithm[] = "native";
const char tp_allgather_algorithm[] = "native";
const char tp_alltoall_algorithm[] = "native";

MPI_Datatype mpi_datatypes[2];
MPI_Op mpi_operators[3];
MPI_Comm mpi_grid;

void mpi_collectives_open(void)
{
    static const int periodic[] = {1, 1};
    const struct tp_grid *grid = tp_grid();
    mpi_datatypes[TP_DOUBLE] = MPI_DOUBLE;
    mpi_datatypes[TP_INT64] = MPI_INT64_T;
    mpi_operators[TP_SUM] = MPI_SUM;
    mpi_operators[TP_MAX] = MPI_MAX;
    mpi_operators[TP_LAND] = MPI_LAND;
    MPI_Cart_create(MPI_COMM_WORLD, grid->dimensions, grid->extents, periodic, 0, &mpi_grid);
}

void mpi_collectives_close(void)
{
    MPI_Comm_free(&mpi_grid);
}

void tp_bcast(void *buffer, size_t bytes, int root)
{
    LARGE(MPI_Bcast)(buffer, (count_type)bytes, MPI_BYTE, root, MPI_COMM_WORLD);
}

void tp_allreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Allreduce)(from, to, (count_type)count, mpi_datatypes[type], mpi_operators[op],
                         MPI_COMM_WORLD);
}

void tp_reduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op, int root)
{
    LARGE(MPI_Reduce)(from, to, (count_type)count, mpi_datatypes[type], mpi_operators[op], root,
                      MPI_COMM_WORLD);
}

void tp_reduce_scatter(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Reduce_scatter_block)(from, to, (count_type)count, mpi_datatypes[type],
                                    mpi_operators[op], MPI_COMM_WORLD);
}

void tp_scan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Scan)(from, to, (count_type)count, mpi_datatypes[type], mpi_operators[op],
                    MPI_COMM_WORLD);
}

void tp_exscan(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Exscan)(from, to, (count_type)count, mpi_datatypes[type], mpi_operators[op],
                      MPI_COMM_WORLD);
}

void tp_gather(const void *from, void *to, size_t bytes, int root)
{
    LARGE(MPI_Gather)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE, root,
                      MPI_COMM_WORLD);
}

void tp_scatter(const void *from, void *to, size_t bytes, int root)
{
    LARGE(MPI_Scatter)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE, root,
                       MPI_COMM_WORLD);
}

void tp_allgather(const void *from, void *to, size_t bytes)
{
    LARGE(MPI_Allgather)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE,
                         MPI_COMM_WORLD);
}

void tp_alltoall(const void *from, void *to, size_t bytes)
{
    LARGE(MPI_Alltoall)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE,
                        MPI_COMM_WORLD);
}

/* -- blocks of different lengths --------------------------------------------------------------- */

const char tp_layout_algorithm[] = "native";
const char tp_gatherv_algorithm[] = "native";
const char tp_scatterv_algorithm[] = "native";
const char tp_allgatherv_algorithm[] = "native";
const char tp_alltoallv_algorithm[] = "native";
const char tp_reduce_scatterv_algorithm[] = "native";

struct tp_layout {
    count_type own; /* this rank's */
    count_type *counts;
    displacement_type *displacements;
};

static void *allocated(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        fprintf(stderr, "leadline kernel: no memory for a layout of %zu bytes\n", bytes);
        abort();
    }
    return memory;
}

static void require_countable(size_t units)
{
    if (units <= MOST_COUNTED)
        return;
    fprintf(stderr, "leadline kernel: %zu units are more than this MPI counts to\n", units);
    abort();
}

struct tp_layout *tp_layout_make(const size_t *counts, const size_t *displacements)
{
    const size_t blocks = (size_t)tp_size();
    struct tp_layout *layout = allocated(sizeof *layout);
    layout->counts = allocated(blocks * sizeof *layout->counts);
    layout->displacements = allocated(blocks * sizeof *layout->displacements);
    for (size_t i = 0; i < blocks; i++) {
        require_countable(displacements[i] + counts[i]);
        layout->counts[i] = (count_type)counts[i];
        layout->displacements[i] = (displacement_type)displacements[i];
    }
    layout->own = layout->counts[tp_rank()];
    return layout;
}

void tp_layout_free(struct tp_layout *layout)
{
    if (!layout)
        return;
    free(layout->counts);
    free(layout->displacements);
    free(layout);
}

void tp_gatherv(const void *from, void *to, const struct tp_layout *blocks, int root)
{
    LARGE(MPI_Gatherv)(from, blocks->own, MPI_BYTE, to, blocks->counts, blocks->displacements,
                       MPI_BYTE, root, MPI_COMM_WORLD);
}

void tp_scatterv(const void *from, const struct tp_layout *blocks, void *to, int root)
{
    LARGE(MPI_Scatterv)(from, blocks->counts, blocks->displacements, MPI_BYTE, to, blocks->own,
                        MPI_BYTE, root, MPI_COMM_WORLD);
}

void tp_allgatherv(const void *from, void *to, const struct tp_layout *blocks)
{
    LARGE(MPI_Allgatherv)(from, blocks->own, MPI_BYTE, to, blocks->counts, blocks->displacements,
                          MPI_BYTE, MPI_COMM_WORLD);
}

void tp_alltoallv(const void *from, const struct tp_layout *sent, void *to,
                  const struct tp_layout *received)
{
    LARGE(MPI_Alltoallv)(from, sent->counts, sent->displacements, MPI_BYTE, to, received->counts,
                         received->displacements, MPI_BYTE, MPI_COMM_WORLD);
}

void tp_reduce_scatterv(const void *from, const struct tp_layout *blocks, void *to,
                        enum tp_type type, enum tp_op op)
{
    LARGE(MPI_Reduce_scatter)(from, to, blocks->counts, mpi_datatypes[type], mpi_operators[op],
                              MPI_COMM_WORLD);
}

/* -- non-blocking ------------------------------------------------------------------------------ */

const char tp_ibarrier_algorithm[] = "native";
const char tp_ibcast_algorithm[] = "native";
const char tp_iallreduce_algorithm[] = "native";
const char tp_iallgather_algorithm[] = "native";
const char tp_ialltoall_algorithm[] = "native";

void tp_ibarrier(int slot)
{
    MPI_Ibarrier(MPI_COMM_WORLD, &mpi_requests[slot]);
}

void tp_ibcast(void *buffer, size_t bytes, int root, int slot)
{
    LARGE(MPI_Ibcast)(buffer, (count_type)bytes, MPI_BYTE, root, MPI_COMM_WORLD,
                      &mpi_requests[slot]);
}

void tp_iallreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op,
                   int slot)
{
    LARGE(MPI_Iallreduce)(from, to, (count_type)count, mpi_datatypes[type], mpi_operators[op],
                          MPI_COMM_WORLD, &mpi_requests[slot]);
}

void tp_iallgather(const void *from, void *to, size_t bytes, int slot)
{
    LARGE(MPI_Iallgather)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE,
                          MPI_COMM_WORLD, &mpi_requests[slot]);
}

void tp_ialltoall(const void *from, void *to, size_t bytes, int slot)
{
    LARGE(MPI_Ialltoall)(from, (count_type)bytes, MPI_BYTE, to, (count_type)bytes, MPI_BYTE,
                         MPI_COMM_WORLD, &mpi_requests[slot]);
}
