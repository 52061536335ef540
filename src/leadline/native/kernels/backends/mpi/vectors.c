/** Collectives over blocks of different lengths: MPI's own. */
#include <stdio.h>
#include <stdlib.h>

#include "backends/mpi/collectives.h"
#include "backends/mpi/counts.h"
#include "transport/transport.h"

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
