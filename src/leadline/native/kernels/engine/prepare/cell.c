#include "engine/prepare/cell.h"

#include <string.h>

#include "engine/placements.h"
#include "engine/prepare/buffers.h"
#include "engine/prepare/forms.h"
#include "engine/prepare/grid.h"
#include "engine/prepare/roots.h"
#include "engine/prepare/shares.h"
#include "engine/prepare/work.h"

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
