#include "core/seats.h"

#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/decision.h"
#include "core/description.h"
#include "core/memory.h"
#include "core/reach.h"
#include "core/settings.h"
#include "saying.h"

/* -- places ------------------------------------------------------------------------------------ */

/* Where the ranks of a communicator run, as far as it is found without a description. */

enum { PLACE_HOST_BYTES = 72 };

struct place {
    int32_t node; /**< the lowest rank that shares memory with this one */
    int32_t core; /**< the first core that it may run on, by the system's number; -1: unknown */
    char host[PLACE_HOST_BYTES]; /**< $SLURMD_NODENAME, else the host's name, which need not be
                                    another one on another node */
};

enum { MOST_CORES = 64 * CPU_SETSIZE /**< the system refuses a set without room for all it has */ };

/** The lowest rank of `comm` on this rank's node, to `node`. */
static int find_node(MPI_Comm comm, int32_t *node)
{
    MPI_Comm sharing;
    int rank;
    int status = PMPI_Comm_rank(comm, &rank);
    if (status == MPI_SUCCESS)
        status = PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &sharing);
    if (status != MPI_SUCCESS)
        return status;
    status = PMPI_Bcast(&rank, 1, MPI_INT, 0, sharing);
    PMPI_Comm_free(&sharing);
    *node = rank;
    return status;
}

static int32_t first_core(void)
{
    cpu_set_t allowed[MOST_CORES / CPU_SETSIZE];
    if (sched_getaffinity(0, sizeof allowed, allowed) != 0)
        return -1;
    for (int32_t core = 0; core < MOST_CORES; core++)
        if (CPU_ISSET_S((size_t)core, sizeof allowed, allowed))
            return core;
    return -1;
}

static void name_host(char *host)
{
    const char *slurm = getenv("SLURMD_NODENAME");
    if (slurm && *slurm)
        snprintf(host, PLACE_HOST_BYTES, "%s", slurm);
    else
        gethostname(host, PLACE_HOST_BYTES - 1);
}

/**
 * All ranks of `comm` call this: rank 0 gets everybody's place in `places` ([size]), which the
 * others ignore. Returns MPI_SUCCESS or the library's error. Nodes are found at the first call, and
 * kept with `comm`.
 */
static int places_gather(MPI_Comm comm, struct place *places)
{
    struct place mine = {.core = first_core()};
    const int size = sizeof mine;
    struct crew *crew = crew_of(comm);
    name_host(mine.host);
    const int status = crew->node < 0 ? find_node(comm, &crew->node) : MPI_SUCCESS;
    if (status != MPI_SUCCESS)
        return status;
    mine.node = crew->node;
    return PMPI_Gather(&mine, size, MPI_BYTE, places, size, MPI_BYTE, 0, comm);
}

/* -- the machine ------------------------------------------------------------------------------- */

/* What the ranks of a communicator run on, as native/mapping wants it. */

struct machine {
    struct map_machine map; /**< a slot for each rank, in their order */
    struct description description;
    int64_t *vertex_of_slot;
    int64_t *ancestors; /**< of the nodes, where there is no description */
};

/** Numbers the nodes in the order of their lowest ranks; false: no memory. */
static bool from_nodes(const struct place *places, int ranks, struct machine *machine)
{
    int64_t nodes = 0;
    for (int rank = 0; rank < ranks; rank++) {
        const bool lowest = places[rank].node == rank;
        machine->vertex_of_slot[rank] =
            lowest ? nodes++ : machine->vertex_of_slot[places[rank].node];
    }
    machine->ancestors = calloc((size_t)nodes, sizeof *machine->ancestors);
    machine->map = (struct map_machine){.kind = MAP_TREE, .vertices = nodes, .levels = 1};
    machine->map.ancestors = machine->ancestors;
    return machine->ancestors != NULL;
}

/** Seats all ranks by the description; false, said once, where it lacks a host. */
static bool from_description(const struct place *places, int ranks, struct machine *machine)
{
    for (int rank = 0; rank < ranks; rank++) {
        const struct place *place = &places[rank];
        const int64_t vertex = description_vertex(&machine->description, place->host, place->core);
        if (vertex < 0) {
            warn("the machine's description lacks host %s, core %d; nodes are found at run time "
                 "instead",
                 place->host, place->core);
            return false;
        }
        machine->vertex_of_slot[rank] = vertex;
    }
    machine->map = machine->description.network;
    machine->map.dims = machine->description.dims;
    machine->map.periodic = machine->description.periodic;
    return true;
}

/**
 * The machine of `ranks` ranks at `places`: as `description` has it (settings.h), else nodes below
 * one switch. Warns where a description can't be used. Returns false where memory lacks.
 */
static bool machine_make(const char *description, const struct place *places, int ranks,
                         struct machine *machine)
{
    *machine = (struct machine){0};
    machine->vertex_of_slot = calloc((size_t)ranks, sizeof *machine->vertex_of_slot);
    if (!machine->vertex_of_slot)
        return false;
    bool described = description && description_read(description, &machine->description);
    if (described && !from_description(places, ranks, machine)) {
        description_free(&machine->description);
        described = false;
    }
    if (!described)
        machine->description = (struct description){0};
    const bool made = described || from_nodes(places, ranks, machine);
    machine->map.slots = ranks;
    machine->map.vertex_of_slot = machine->vertex_of_slot;
    return made;
}

/** Frees what machine_make made. */
static void machine_free(struct machine *machine)
{
    description_free(&machine->description);
    free(machine->vertex_of_slot);
    free(machine->ancestors);
}

/* -- the file of permutations ------------------------------------------------------------------ */

enum { MOST_ROW = 160 };

/** The last row's communicator in an open file; 0: none yet. */
static long last_communicator(FILE *file)
{
    char row[MOST_ROW];
    long last = 0;
    if (fseek(file, 0, SEEK_END) != 0)
        return 0;
    const long end = ftell(file);
    fseek(file, end > MOST_ROW ? end - MOST_ROW : 0, SEEK_SET);
    while (fgets(row, sizeof row, file))
        if (strchr(row, ',') && strchr(row, '\n'))
            last = strtol(row, NULL, 10);
    return last;
}

static void write_rows(FILE *file, const struct place *places, const int64_t *permutation,
                       int ranks)
{
    const long communicator = last_communicator(file) + 1;
    if (communicator == 1)
        fprintf(file, "communicator,rank,old_rank,host\n");
    for (int rank = 0; rank < ranks; rank++)
        fprintf(file, "%ld,%d,%lld,%s\n", communicator, rank, (long long)permutation[rank],
                places[permutation[rank]].host);
}

/**
 * Appends to `path` who takes which of `ranks` ranks, as CSV: "communicator,rank,old_rank,host",
 * with this header where the file is new; communicators count from 1, whichever process made them.
 * `permutation` has the old rank of each. Warns where it can't be written.
 */
static void permutations_append(const char *path, const struct place *places,
                                const int64_t *permutation, int ranks)
{
    FILE *file = fopen(path, "a+e");
    if (!file) {
        warn("LEADLINE_MAP_OUT=%s can't be written: %s", path, strerror(errno));
        return;
    }
    flock(fileno(file), LOCK_EX); /* several communicators' first ranks may append at a time */
    write_rows(file, places, permutation, ranks);
    const bool failed = fflush(file) != 0 || ferror(file);
    if (failed)
        warn("LEADLINE_MAP_OUT=%s can't be written: %s", path, strerror(errno));
    fclose(file);
}

/* -- seats ------------------------------------------------------------------------------------- */

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
