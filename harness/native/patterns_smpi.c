/**
 * Point-to-point patterns under SimGrid's smpirun, as the kernel's own: seconds of each size.
 *
 *     patterns_smpi pingpong|pair|halo SIZE ...       halo: on the grid of MPI_Dims_create
 *
 * A first repetition from a common time of the simulated clock, then four that are timed, back to
 * back: of the rank that takes longest its share of the time from the end of the first to the end
 * of the last.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double pause_s = 1e-3;

enum { TIMED = 4, AXES = 3, MOST = 4 };

/** What one rank knows of a repetition. */
struct place {
    int rank, ranks, bytes;
    MPI_Comm grid;
    char *out, *in; /* a block for each message under way */
};

/** A message each way with each of the neighbours, all at once. */
static void exchange(const struct place *at, const int *neighbours, int count)
{
    MPI_Request requests[2 * MOST];
    for (int i = 0; i < count; i++)
        MPI_Irecv(at->in + (size_t)i * (size_t)at->bytes, at->bytes, MPI_BYTE, neighbours[i], 0,
                  at->grid, &requests[i]);
    for (int i = 0; i < count; i++)
        MPI_Isend(at->out, at->bytes, MPI_BYTE, neighbours[i], 0, at->grid, &requests[count + i]);
    MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
}

static void pingpong(const struct place *at)
{
    const int other = 1 - at->rank;
    if (at->rank == 0)
        MPI_Send(at->out, at->bytes, MPI_BYTE, other, 0, at->grid);
    MPI_Recv(at->in, at->bytes, MPI_BYTE, other, 0, at->grid, MPI_STATUS_IGNORE);
    if (at->rank == 1)
        MPI_Send(at->out, at->bytes, MPI_BYTE, other, 0, at->grid);
}

static void pair(const struct place *at)
{
    const int half = at->ranks / 2, other = (at->rank + half) % at->ranks;
    exchange(at, &other, 1);
}

static void halo(const struct place *at)
{
    for (int axis = 0; axis < AXES; axis++) {
        int neighbours[2];
        MPI_Cart_shift(at->grid, axis, 1, &neighbours[0], &neighbours[1]);
        exchange(at, neighbours, 2);
    }
}

static const struct pattern {
    const char *name;
    void (*run)(const struct place *at);
    int operations; /* of a repetition, there and back two */
} patterns[] = {{"pingpong", pingpong, 2}, {"pair", pair, 1}, {"halo", halo, 1}};

static const struct pattern *named(const char *name)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(patterns[i].name, name) == 0)
            return &patterns[i];
    fprintf(stderr, "patterns_smpi: no pattern is called %s\n", name);
    exit(2);
}

/** Until all ranks have come, and a little longer. */
static void start_together(void)
{
    double mine = MPI_Wtime(), last;
    MPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const double left = last + pause_s - MPI_Wtime();
    struct timespec length = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
    nanosleep(&length, NULL);
}

static double seconds(const struct pattern *pattern, const struct place *at)
{
    double mine, longest;
    start_together();
    pattern->run(at);
    const double begin = MPI_Wtime();
    for (int i = 0; i < TIMED; i++)
        pattern->run(at);
    mine = (MPI_Wtime() - begin) / (TIMED * pattern->operations);
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return longest;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const struct pattern *pattern = named(argv[1]);
    struct place at;
    int dims[AXES] = {0}, rings[AXES] = {0};
    MPI_Comm_size(MPI_COMM_WORLD, &at.ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &at.rank);
    MPI_Dims_create(at.ranks, AXES, dims);
    MPI_Cart_create(MPI_COMM_WORLD, AXES, dims, rings, 0, &at.grid);
    for (int i = 2; i < argc; i++) {
        at.bytes = atoi(argv[i]);
        at.out = SMPI_SHARED_MALLOC((size_t)at.bytes * MOST + 1);
        at.in = SMPI_SHARED_MALLOC((size_t)at.bytes * MOST + 1);
        const double took_s = seconds(pattern, &at);
        if (at.rank == 0)
            printf("%d %.17g\n", at.bytes, took_s);
        SMPI_SHARED_FREE(at.out);
        SMPI_SHARED_FREE(at.in);
    }
    MPI_Finalize();
    return 0;
}
