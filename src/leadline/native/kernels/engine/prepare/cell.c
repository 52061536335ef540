#include "engine/prepare/cell.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/params.h"
#include "engine/placements.h"
#include "engine/prepare/buffers.h"
#include "engine/prepare/work.h"

/* -- grid -------------------------------------------------------------------------------------- */

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

/*
 * Sets cell->dims of a pattern with axes: as they were chosen; else of 2 x half the ranks where
 * these come in pairs; else of as many axes as the pattern has, as MPI_Dims_create balances them:
 * of the least sum of lengths the least longest ones first. Returns what stands against it, in
 * words, as where no rank has a neighbour; NULL: nothing.
 */
static const char *grid_arrange(const struct params *params, struct cell *cell)
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

/* -- roots ------------------------------------------------------------------------------------- */

enum {
    LEAST_TURNS = 64
}; /* of each rank before a ring starts over, which cuts the last ones short */

/* A power of two, so that a mask wraps the ring. */
static size_t slots_for(const struct cell *cell)
{
    size_t slots = 1;
    if (cell->chosen[OPTION_ROOT] == ROOT_ROTATING)
        while (slots < LEAST_TURNS * (size_t)cell->ranks)
            slots *= 2;
    return slots;
}

/*
 * Points cell->roots at params->root alone, or, under OPTION_ROOT's "rotating", at all ranks in
 * turn from that one on. The same on all ranks. Returns false if there is no memory for it.
 */
static bool roots_arrange(const struct params *params, struct cell *cell)
{
    static int *ranks;
    const size_t slots = slots_for(cell);
    int *grown = realloc(ranks, slots * sizeof *grown);
    if (!grown)
        return false;
    ranks = grown;
    for (size_t i = 0; i < slots; i++)
        ranks[i] = (int)(((size_t)params->root + i) % (size_t)cell->ranks);
    cell->roots = (struct roots){ranks, slots - 1};
    return true;
}

/* -- shares ------------------------------------------------------------------------------------ */

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

/*
 * Sets cell->shares: of params->size_bytes each under OPTION_COUNTS's "even"; under "skewed" in
 * proportion to the rank plus one, as many bytes in all. Skewed blocks begin at multiples of 8
 * bytes where the size is one. Returns false if there is no memory for it.
 */
static bool shares_arrange(const struct params *params, struct cell *cell)
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

/* -- forms ------------------------------------------------------------------------------------- */

static bool pack_room(size_t bytes, char **packed)
{
    static char *memory;
    static size_t room;
    if (bytes > room) {
        tp_release(memory);
        memory = tp_allocate(bytes);
        room = memory ? bytes : 0;
    }
    *packed = memory;
    return memory != NULL;
}

/*
 * Sets cell->datatype and cell->packed for patterns of a form other than contiguous. Collective.
 * Returns false if the memory can't be had.
 */
static bool forms_arrange(const struct params *params, struct cell *cell)
{
    static struct tp_datatype *kept; /* lives until the next slice */
    const struct pattern *pattern = params->pattern;
    cell->form = pattern->form;
    cell->span_bytes = payload_span(pattern->form, cell->size_bytes);
    if (pattern->form == TP_CONTIGUOUS)
        return true;
    tp_datatype_free(kept);
    kept = tp_datatype_make(pattern->form, cell->size_bytes / pattern->granularity);
    cell->datatype = kept;
    return pack_room(cell->size_bytes, &cell->packed);
}

/* -- the cell ---------------------------------------------------------------------------------- */

static struct cell cell_of(const struct params *params)
{
    struct cell cell = {
        .size_bytes = params->size_bytes,
        .rank = tp_rank(),
        .ranks = tp_size(),
        .traced = params->traced,
    };
    memcpy(cell.chosen, params->choices.chosen, sizeof cell.chosen);
    memcpy(cell.numbers, params->choices.numbers, sizeof cell.numbers);
    return cell;
}

static bool is_power_of_two(int number)
{
    return (number & (number - 1)) == 0;
}

static const char *objection_to_application(const struct params *params)
{
    const struct application *application = params->pattern->application;
    const struct problem *problem =
        &application->problems[params->choices.chosen[application->option]];
    if (tp_simulated())
        return "computing takes no simulated time; give leadline simulate";
    if (application->powers_of_two && !is_power_of_two(tp_size()))
        return "its ranks divide the problem in halves; give a power of two of them";
    if (tp_size() > problem->most_ranks)
        return "its problem can't be divided among so many; give fewer ranks, or a larger problem";
    if (params->cadence == CADENCE_ISOLATED)
        return "its repetitions follow each other; give the streaming cadence";
    if (params->traced && params->repetitions > problem->repetitions)
        return "a trace ends with the solution; give fewer repetitions";
    return NULL;
}

static const char *objection(const struct params *params)
{
    const struct pattern *pattern = params->pattern;
    if (params->traced && strcmp(tp_tracing_algorithm, "absent") == 0)
        return "nothing writes its calls down over this library; give the backend trace";
    if (pattern->threads && !tp_threads_granted())
        return "the library lets one thread of a rank call it at a time; take a build of it with "
               "MPI_THREAD_MULTIPLE, or leave the pattern out";
    if (pattern->in_pairs && tp_size() % 2)
        return "its ranks come in pairs; give an even number of them";
    if (tp_simulated() && params->choices.chosen[OPTION_OVERLAP] != OVERLAP_NONE)
        return "computing takes no simulated time; leave the overlap out";
    if (pattern->one_buffer && params->buffers == BUFFERS_COLD)
        return "its operations are bound to their buffers; give other buffers than cold ones";
    return pattern->application ? objection_to_application(params) : NULL;
}

static bool memory_arranged(const struct params *params, struct cell *cell)
{
    return roots_arrange(params, cell) && shares_arrange(params, cell) &&
           forms_arrange(params, cell) && buffers_arrange(params, cell);
}

const char *cell_prepare(const struct params *params, int participants, struct cell *cell)
{
    const char *reason = objection(params);
    *cell = cell_of(params);
    if (!reason)
        reason = grid_arrange(params, cell);
    if (reason)
        return reason;
    if (!placements_find(params->placement, &cell->placement))
        return "the placement that it asks for was never made";
    if (!memory_arranged(params, cell))
        return "no memory for the message buffers";
    if (cell->rank < participants)
        work_arrange(params, cell, participants);
    return NULL;
}
