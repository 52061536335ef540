#include "core/seats.h"

#include <stdlib.h>

#include "core/decision.h"
#include "core/machine.h"
#include "core/memory.h"
#include "core/permutations.h"
#include "core/places.h"
#include "core/settings.h"
#include "saying.h"

/** What rank 0 needs to decide. */
struct board {
    struct place *places; /**< [size] */
    int64_t *permutation; /**< [ranks] */
    struct seat *seats;   /**< [size] */
};

bool seats_possible(MPI_Comm comm)
{
    int between_groups = 0, size = 0;
    if (comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &between_groups) != MPI_SUCCESS)
        return false;
    return !between_groups && PMPI_Comm_size(comm, &size) == MPI_SUCCESS && size > 1;
}

static struct board board_make(MPI_Comm comm, int size, int ranks)
{
    return (struct board){
        .places = memory_of(comm, (size_t)size, sizeof(struct place)),
        .permutation = memory_of(comm, (size_t)ranks, sizeof(int64_t)),
        .seats = memory_of(comm, (size_t)size, sizeof(struct seat)),
    };
}

static void board_free(struct board *board)
{
    free(board->places);
    free(board->permutation);
    free(board->seats);
}

/** Turns the permutation round: from the old rank of each new one to each process's new rank. */
static void fill_seats(struct board *board, int size, int ranks, bool moves)
{
    for (int rank = 0; rank < size; rank++)
        board->seats[rank].rank = rank;
    for (int rank = 0; rank < ranks; rank++)
        board->seats[board->permutation[rank]].rank = rank;
    for (int rank = 0; rank < size; rank++) {
        board->seats[rank].moves = moves;
        board->seats[rank].next = board->seats[board->seats[rank].rank].rank;
    }
}

static void decide_all(const struct wish *wish, int size, struct board *board)
{
    const struct settings settings = settings_read();
    struct machine machine;
    bool moves = false;
    for (int rank = 0; rank < wish->ranks; rank++)
        board->permutation[rank] = rank;
    if (machine_make(settings.machine, board->places, wish->ranks, &machine))
        moves = decide(wish->call, &wish->pattern, &machine.map, &settings, board->permutation);
    else
        warn("%s: no memory; ranks stay", wish->call);
    machine_free(&machine);
    if (settings.out)
        permutations_append(settings.out, board->places, board->permutation, wish->ranks);
    fill_seats(board, size, wish->ranks, moves);
}

/** What rank 0 does of seats_find. */
static bool lead(const struct wish *wish, int size, struct seat *seat)
{
    const int ints = sizeof *seat / sizeof(int);
    struct board board = board_make(wish->comm, size, wish->ranks);
    bool told = places_gather(wish->comm, board.places) == MPI_SUCCESS;
    if (told)
        decide_all(wish, size, &board);
    if (told && !settings_report())
        told = PMPI_Scatter(board.seats, ints, MPI_INT, seat, ints, MPI_INT, 0, wish->comm) ==
               MPI_SUCCESS;
    board_free(&board);
    return told && !settings_report();
}

static bool follow(const struct wish *wish, struct seat *seat)
{
    const int ints = sizeof *seat / sizeof(int);
    if (places_gather(wish->comm, NULL) != MPI_SUCCESS || settings_report())
        return false;
    return PMPI_Scatter(NULL, ints, MPI_INT, seat, ints, MPI_INT, 0, wish->comm) == MPI_SUCCESS;
}

bool seats_find(const struct wish *wish, struct seat *seat)
{
    int rank, size;
    if (PMPI_Comm_rank(wish->comm, &rank) != MPI_SUCCESS ||
        PMPI_Comm_size(wish->comm, &size) != MPI_SUCCESS)
        return false;
    return rank == 0 ? lead(wish, size, seat) : follow(wish, seat);
}

int seats_create(MPI_Comm comm, const struct seat *seat, seats_maker *make, const void *call,
                 MPI_Comm *made)
{
    MPI_Comm moved;
    if (!seat->moves)
        return make(call, seat, comm, made);
    int status = PMPI_Comm_split(comm, 0, seat->rank, &moved);
    if (status != MPI_SUCCESS)
        return status;
    status = make(call, seat, moved, made);
    PMPI_Comm_free(&moved);
    return status;
}
