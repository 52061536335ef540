/**
 * Collectives under SimGrid's smpirun: a table as the Intel MPI Benchmarks print theirs.
 *
 *     collectives_smpi NAME SIZE ...       sizes rise
 *
 * All ranks sleep until a common time of the simulated clock, which they share, then run one
 * operation; its time is that of the rank that ends last. Simulated time has no noise, so that once
 * is enough, after one that makes what a library makes at its first call. Contents don't matter to
 * it: all messages share their memory.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double pause_s = 1e-3;

/** One rank's view of an operation: `bytes` is one contribution, or one block of several. */
struct call {
    char *out, *in;
    int bytes, ranks;
};

static void bcast(const struct call *call)
{
    MPI_Bcast(call->out, call->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void gather(const struct call *call)
{
    MPI_Gather(call->out, call->bytes, MPI_BYTE, call->in, call->bytes, MPI_BYTE, 0,
               MPI_COMM_WORLD);
}

static void scatter(const struct call *call)
{
    MPI_Scatter(call->out, call->bytes, MPI_BYTE, call->in, call->bytes, MPI_BYTE, 0,
                MPI_COMM_WORLD);
}

static void allgather(const struct call *call)
{
    MPI_Allgather(call->out, call->bytes, MPI_BYTE, call->in, call->bytes, MPI_BYTE,
                  MPI_COMM_WORLD);
}

static void alltoall(const struct call *call)
{
    MPI_Alltoall(call->out, call->bytes, MPI_BYTE, call->in, call->bytes, MPI_BYTE, MPI_COMM_WORLD);
}

static void reduce(const struct call *call)
{
    MPI_Reduce(call->out, call->in, call->bytes / 8, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(const struct call *call)
{
    MPI_Allreduce(call->out, call->in, call->bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_scatter(const struct call *call)
{
    MPI_Reduce_scatter_block(call->out, call->in, call->bytes / 8, MPI_DOUBLE, MPI_SUM,
                             MPI_COMM_WORLD);
}

static const struct operation {
    const char *name;
    void (*run)(const struct call *call);
} operations[] = {
    {"Bcast", bcast},         {"Gather", gather},
    {"Scatter", scatter},     {"Allgather", allgather},
    {"Alltoall", alltoall},   {"Reduce", reduce},
    {"Allreduce", allreduce}, {"Reduce_scatter_block", reduce_scatter},
};

/** The latest of all ranks' times. */
static double latest(double mine)
{
    double last;
    MPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return last;
}

static void sleep_until(double when)
{
    const double left = when - MPI_Wtime();
    struct timespec length = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
    nanosleep(&length, NULL);
}

static double seconds(const struct operation *operation, const struct call *call)
{
    operation->run(call);
    const double begin = latest(MPI_Wtime()) + pause_s;
    sleep_until(begin);
    operation->run(call);
    return latest(MPI_Wtime()) - begin;
}

static const struct operation *named(const char *name)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    fprintf(stderr, "collectives_smpi: no operation is called %s\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const struct operation *operation = named(argv[1]);
    struct call call;
    int rank;
    MPI_Comm_size(MPI_COMM_WORLD, &call.ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const size_t most = ((size_t)atol(argv[argc - 1]) + 1) * (size_t)call.ranks;
    call.out = SMPI_SHARED_MALLOC(most);
    call.in = SMPI_SHARED_MALLOC(most);
    if (rank == 0)
        printf("# Benchmarking %s\n# #processes = %d\n#bytes #repetitions t_max[usec]\n",
               operation->name, call.ranks);
    for (int i = 2; i < argc; i++) {
        call.bytes = atoi(argv[i]);
        const double us = 1e6 * seconds(operation, &call);
        if (rank == 0)
            printf("%d 1 %.9f\n", call.bytes, us);
    }
    SMPI_SHARED_FREE(call.out);
    SMPI_SHARED_FREE(call.in);
    MPI_Finalize();
    return 0;
}
