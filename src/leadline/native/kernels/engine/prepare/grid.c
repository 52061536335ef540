#include "engine/prepare/grid.h"

#include <limits.h>
#include <stdio.h>

struct search {
    struct dims trial, best;
    int least_sum;
};

/* Cuts `rest` along the axes from `axis` on, no length above `longest`. */
static void cut(struct search *search, int axis, int rest, int longest, int sum)
{
    if (axis == search->trial.axes) {
        if (rest == 1 && sum < search->least_sum) {
            search->best = search->trial;
            search->least_sum = sum;
        }
        return;
    }
    for (int length = 1; length <= rest && length <= longest; length++) {
        if (rest % length == 0) {
            search->trial.lengths[axis] = length;
            cut(search, axis + 1, rest / length, length, sum + length);
        }
    }
}

static struct dims balanced(int ranks, int axes)
{
    struct search search = {.trial.axes = axes, .least_sum = INT_MAX};
    cut(&search, 0, ranks, ranks, 0);
    return search.best;
}

static struct dims dims_of(const struct pattern *pattern, struct dims chosen)
{
    const int ranks = tp_size();
    if (chosen.axes > 0)
        return chosen;
    if (pattern->in_pairs)
        return (struct dims){2, {2, ranks / 2}};
    return balanced(ranks, pattern->axes);
}

static bool has_neighbours(const struct pattern *pattern, const struct cell *cell)
{
    bool any = false;
    for (int axis = 0; axis < axes_along(pattern, cell); axis++)
        any |= cell->dims.lengths[axis] > 1;
    return any;
}

const char *grid_arrange(const struct params *params, struct cell *cell)
{
    static char text[128];
    const struct dims chosen = params->choices.dims;
    if (params->pattern->axes == 0)
        return NULL;
    if (chosen.axes > 0 && choices_vertices(chosen) != tp_size()) {
        snprintf(text, sizeof text, "its grid has %d vertices, the job %d ranks",
                 choices_vertices(chosen), tp_size());
        return text;
    }
    cell->dims = dims_of(params->pattern, chosen);
    return has_neighbours(params->pattern, cell)
               ? NULL
               : "no rank has a neighbour: the grid has length 1 along each axis of its messages";
}
