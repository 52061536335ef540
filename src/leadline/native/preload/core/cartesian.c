#include "core/cartesian.h"

#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/creation.h"
#include "core/reach.h"
#include "core/settings.h"
#include "saying.h"

static const double LONG_S = 10;

/**
 * Waits until all of `comm` are in `call`; warns, with `remedy`, where that takes long. Returns
 * false where the library fails.
 */
static bool meet(MPI_Comm comm, const char *call, const char *remedy)
{
    MPI_Request all_there;
    int met = 0, warned = 0;
    if (PMPI_Ibarrier(comm, &all_there) != MPI_SUCCESS)
        return false;
    const double begin = PMPI_Wtime();
    while (PMPI_Test(&all_there, &met, MPI_STATUS_IGNORE) == MPI_SUCCESS && !met) {
        if (!warned && PMPI_Wtime() - begin > LONG_S) {
            warn("%s has waited %.0f s for the other ranks of its communicator: %s", call, LONG_S,
                 remedy);
            warned = 1;
        }
        sched_yield();
    }
    return met;
}

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

/** The seat of this process among `comm`; false as seats_find, or where the call isn't valid. */
static bool find_seat(const char *function, const struct cartesian_call *call, MPI_Comm comm,
                      struct seat *seat)
{
    char title[MOST_TITLE];
    struct grid grid;
    struct wish wish = {.comm = comm, .call = title, .ranks = ranks_of(call, comm)};
    if (wish.ranks == 0)
        return false;
    title_of(function, call, title);
    wish.pattern = pattern_of(call, &grid);
    return seats_find(&wish, seat);
}

static int create(const struct cartesian_call *call, MPI_Comm comm, int reorder, MPI_Comm *made)
{
    __typeof__(PMPI_Cart_create) *own = (__typeof__(PMPI_Cart_create) *)call->own;
    return own(comm, call->ndims, call->dims, call->periods, reorder, made);
}

static int plainly(const void *given, MPI_Comm *made)
{
    const struct cartesian_call *call = given;
    return create(call, (MPI_Comm)call->comm, 1, made);
}

static bool seat_in(const void *call, MPI_Comm comm, struct seat *seat)
{
    return find_seat("MPI_Cart_create", call, comm, seat);
}

static int make(const void *call, const struct seat *seat, MPI_Comm comm, MPI_Comm *made)
{
    (void)seat;
    return create(call, comm, 0, made);
}

bool cartesian_create(const struct cartesian_call *call, void *newcomm, int *status)
{
    const struct creation creation = {(MPI_Comm)call->comm, call, plainly, seat_in, make};
    if (!newcomm || !seats_possible(creation.comm) || ranks_of(call, creation.comm) == 0)
        return false;
    return creation_run(&creation, newcomm, status);
}

/** Whether all of `comm` take part: as an earlier call told or, since in this one none waits for
 * the others, as the user says. */
static bool reaches_all(MPI_Comm comm)
{
    struct crew *crew = crew_of(comm);
    if (crew->reach != REACH_UNKNOWN)
        return crew->reach == REACH_ALL;
    return reach_promised(comm, "where MPI_Cart_map comes first") == REACH_ALL;
}

/** By the standard MPI_Cart_map is local, and may be called by some only; here all have to. */
static bool all_call(MPI_Comm comm)
{
    return meet(comm, "MPI_Cart_map",
                "if the program calls it on some only, which MPI allows, set "
                "LEADLINE_MAP_CART_MAP=off");
}

bool cartesian_map(const struct cartesian_call *call, int *newrank, int *status)
{
    const MPI_Comm comm = (MPI_Comm)call->comm;
    struct seat seat;
    if (!newrank || settings_cart_map_off() || !seats_possible(comm) || ranks_of(call, comm) == 0 ||
        !reaches_all(comm) || !all_call(comm) || !find_seat("MPI_Cart_map", call, comm, &seat))
        return false;
    *newrank = seat.rank < ranks_of(call, comm) ? seat.rank : MPI_UNDEFINED;
    *status = MPI_SUCCESS;
    return true;
}
