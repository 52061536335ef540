#include "core/cartesian.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "core/seats.h"

enum { MOST_TITLE = 512 };

/** A grid as native/mapping wants it. */
struct grid {
    int64_t dims[MAP_MOST_DIMS];
    uint8_t periodic[MAP_MOST_DIMS];
    double weights[2 * MAP_MOST_DIMS];
};

/** The ranks of the grid; 0 where the library is to say what is wrong, or there is nothing to do.
 */
static int ranks_of(const struct cartesian_call *call, MPI_Comm comm)
{
    int size = 0;
    int64_t ranks = 1;
    if (call->ndims < 1 || call->ndims > MAP_MOST_DIMS || !call->dims || !call->periods)
        return 0;
    if (PMPI_Comm_size(comm, &size) != MPI_SUCCESS)
        return 0;
    for (int axis = 0; axis < call->ndims; axis++) {
        if (call->dims[axis] < 1 || call->dims[axis] > size)
            return 0;
        ranks *= call->dims[axis];
        if (ranks > size)
            return 0;
    }
    return (int)ranks;
}

static struct map_pattern pattern_of(const struct cartesian_call *call, struct grid *grid)
{
    for (int axis = 0; axis < call->ndims; axis++) {
        grid->dims[axis] = call->dims[axis];
        grid->periodic[axis] = call->periods[axis] != 0;
        grid->weights[2 * axis] = grid->weights[2 * axis + 1] = 1;
    }
    return (struct map_pattern){.kind = MAP_GRID,
                                .ndims = call->ndims,
                                .dims = grid->dims,
                                .periodic = grid->periodic,
                                .weights = grid->weights};
}

/** "MPI_Cart_create 4x4", with "periodic" where all axes are, "periodic 1,0" where some. */
static void title_of(const char *function, const struct cartesian_call *call, char *title)
{
    int used = snprintf(title, MOST_TITLE, "%s ", function), rings = 0;
    for (int axis = 0; axis < call->ndims; axis++) {
        rings += call->periods[axis] != 0;
        used += snprintf(title + used, (size_t)(MOST_TITLE - used), "%s%d", axis ? "x" : "",
                         call->dims[axis]);
    }
    if (rings > 0)
        used += snprintf(title + used, (size_t)(MOST_TITLE - used), " periodic");
    for (int axis = 0; axis < call->ndims && rings < call->ndims && rings > 0; axis++)
        used += snprintf(title + used, (size_t)(MOST_TITLE - used), "%c%d", axis ? ',' : ' ',
                         call->periods[axis] != 0);
}

/** The seat of this process for `function`; false as seats_find, or where the call isn't valid. */
static bool find_seat(const char *function, const struct cartesian_call *call, struct seat *seat)
{
    char title[MOST_TITLE];
    struct grid grid;
    struct wish wish = {.comm = (MPI_Comm)call->comm, .call = title};
    if (!seats_possible(wish.comm))
        return false;
    wish.ranks = ranks_of(call, wish.comm);
    if (wish.ranks == 0)
        return false;
    title_of(function, call, title);
    wish.pattern = pattern_of(call, &grid);
    return seats_find(&wish, seat);
}

static int make(const void *given, const struct seat *seat, MPI_Comm comm, MPI_Comm *made)
{
    const struct cartesian_call *call = given;
    (void)seat;
    return PMPI_Cart_create(comm, call->ndims, call->dims, call->periods, 0, made);
}

bool cartesian_create(const struct cartesian_call *call, void *newcomm, int *status)
{
    struct seat seat;
    if (!newcomm || !find_seat("MPI_Cart_create", call, &seat))
        return false;
    *status = seats_create((MPI_Comm)call->comm, &seat, make, call, newcomm);
    return true;
}

bool cartesian_map(const struct cartesian_call *call, int *newrank, int *status)
{
    struct seat seat;
    if (!newrank || !find_seat("MPI_Cart_map", call, &seat))
        return false;
    *newrank = seat.rank < ranks_of(call, (MPI_Comm)call->comm) ? seat.rank : MPI_UNDEFINED;
    *status = MPI_SUCCESS;
    return true;
}
