#include "engine/prepare/shares.h"

#include <stdlib.h>

static const size_t element_bytes = 8;

/* Where block `rank` begins: ranks * size / (1 + 2 + ... + ranks) for each of 1 + 2 + ... + rank.
 */
static size_t begin_of(const struct cell *cell, int rank)
{
    const size_t size = cell->size_bytes, before = (size_t)rank;
    if (cell->chosen[OPTION_COUNTS] == COUNTS_EVEN)
        return before * size;
    const size_t step = size % element_bytes ? 1 : element_bytes;
    return size * before * (before + 1) / ((size_t)cell->ranks + 1) / step * step;
}

static size_t divide(const struct cell *cell, size_t *bytes, size_t *offsets)
{
    size_t largest = 0;
    for (int rank = 0; rank < cell->ranks; rank++) {
        offsets[rank] = begin_of(cell, rank);
        bytes[rank] = begin_of(cell, rank + 1) - offsets[rank];
        largest = bytes[rank] > largest ? bytes[rank] : largest;
    }
    return largest;
}

/* Uses `counts` and `displacements` as scratch memory. */
static void lay_out(const struct params *params, struct cell *cell, size_t *counts,
                    size_t *displacements)
{
    const size_t unit = params->pattern->granularity;
    struct shares *shares = &cell->shares;
    for (int rank = 0; rank < cell->ranks; rank++) {
        counts[rank] = shares->bytes[rank] / unit;
        displacements[rank] = shares->offsets[rank] / unit;
    }
    shares->blocks = tp_layout_make(counts, displacements);
    const size_t own = shares->bytes[cell->rank] / unit;
    for (int rank = 0; rank < cell->ranks; rank++) {
        counts[rank] = own;
        displacements[rank] = (size_t)rank * own;
    }
    shares->received = tp_layout_make(counts, displacements);
}

bool shares_arrange(const struct params *params, struct cell *cell)
{
    static struct shares kept; /* its layouts live until the next slice */
    static size_t *memory;
    const size_t ranks = (size_t)cell->ranks;
    cell->shares = (struct shares){.largest = cell->size_bytes};
    if (!(params->pattern->options & 1u << OPTION_COUNTS))
        return true;
    size_t *grown = realloc(memory, 4 * ranks * sizeof *grown);
    if (!grown)
        return false;
    memory = grown;
    tp_layout_free(kept.blocks);
    tp_layout_free(kept.received);
    cell->shares.bytes = memory;
    cell->shares.offsets = memory + ranks;
    cell->shares.largest = divide(cell, memory, memory + ranks);
    lay_out(params, cell, memory + 2 * ranks, memory + 3 * ranks);
    kept = cell->shares;
    return true;
}
