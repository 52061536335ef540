/** Layouts of backends without vector operations of their own. */
#include "fallback/layout.h"

#include <stdio.h>
#include <stdlib.h>

const char tp_layout_algorithm[] = "plain";

struct tp_layout *tp_layout_make(const size_t *counts, const size_t *displacements)
{
    const int size = tp_size();
    struct tp_layout *layout = malloc((size_t)size * sizeof *layout);
    if (!layout) {
        fprintf(stderr, "leadline kernel: no memory for a layout of %d blocks\n", size);
        abort();
    }
    for (int i = 0; i < size; i++)
        layout[i] = (struct tp_layout){counts[i], displacements[i]};
    return layout;
}

void tp_layout_free(struct tp_layout *layout)
{
    free(layout);
}

struct tp_layout layout_block(const struct tp_layout *layout, int rank)
{
    return layout[rank];
}
