/**
 * What concerns communicators made with reorder=1 but isn't who has which rank: prints a line for
 * each fact, the same whether ranks move or stay. Runs on 9 ranks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int world_rank, handled;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    handled++;
}

static void fact(const char *name, int value)
{
    int sum;
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (world_rank == 0)
        printf("%s %d\n", name, sum);
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

/** Wrong arguments and other kinds of communicators are the library's own affair. */
static void refused(MPI_Comm comm, MPI_Comm between)
{
    const int dims[2] = {4, 4}, none[2] = {0, 3}, periods[2] = {0, 0}, to[1] = {99},
              weight[1] = {1};
    MPI_Comm made = MPI_COMM_NULL;
    fact("too large", class_of(MPI_Cart_create(comm, 2, dims, periods, 1, &made)));
    fact("length 0", class_of(MPI_Cart_create(comm, 2, none, periods, 1, &made)));
    fact("inter-communicator", class_of(MPI_Cart_create(between, 1, none, periods, 1, &made)));
    const int one =
        MPI_Dist_graph_create_adjacent(comm, 1, to, weight, 1, to, weight, MPI_INFO_NULL, 1, &made);
    fact("no such neighbour", class_of(one));
    fact("handled", handled);
}

static void kept(MPI_Comm comm)
{
    const int dims[2] = {3, 3}, periods[2] = {1, 0};
    int rank, topology;
    MPI_Comm made;
    MPI_Cart_create(comm, 2, dims, periods, 0, &made);
    MPI_Comm_rank(made, &rank);
    fact("reorder=0 moves", rank != world_rank);
    MPI_Comm_free(&made);
    MPI_Cart_create(comm, 2, dims, periods, 1, &made);
    MPI_Topo_test(made, &topology);
    fact("is Cartesian", topology == MPI_CART);
    const int before = handled;
    MPI_Comm_call_errhandler(made, MPI_ERR_OTHER);
    fact("error handler kept", handled - before);
    MPI_Comm_free(&made);
    MPI_Cart_create(comm, 0, dims, periods, 1, &made);
    fact("members of no axes", made != MPI_COMM_NULL);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
}

/** Graphs that are refused, and what one process makes alone. */
static void graphs(MPI_Comm comm, MPI_Comm between)
{
    const int at[1] = {0}, length[1] = {1}, ring[1] = {1};
    const int before = handled;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Dist_graph_create(comm, 1, at, NULL, at, length, MPI_INFO_NULL, 1, &made);
    MPI_Dist_graph_create(between, 0, NULL, NULL, NULL, NULL, MPI_INFO_NULL, 1, &made);
    MPI_Dist_graph_create_adjacent(between, 0, NULL, NULL, 0, NULL, NULL, MPI_INFO_NULL, 1, &made);
    fact("graphs handled", handled - before);
    MPI_Cart_create(MPI_COMM_NULL, 1, length, ring, 1, &made);
    fact("nothing handled", handled - before);
    MPI_Cart_create(MPI_COMM_SELF, 1, length, ring, 1, &made);
    fact("alone", made != MPI_COMM_NULL);
    MPI_Comm_free(&made);
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, at, length, 1, at, length, MPI_INFO_NULL, 1,
                                   &made);
    fact("its own neighbour", made != MPI_COMM_NULL);
    MPI_Comm_free(&made);
}

/** Each third makes a row of its own; a receive from anybody that is pending gets no stray. */
static void of_parts(void)
{
    const int dims[1] = {3}, periods[1] = {0};
    int stray = -1, rank, at;
    MPI_Comm part, made;
    MPI_Request pending;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank / 3, -world_rank, &part);
    MPI_Irecv(&stray, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, part, &pending);
    MPI_Cart_create(part, 1, dims, periods, 1, &made);
    MPI_Comm_rank(made, &rank);
    MPI_Cart_coords(made, rank, 1, &at);
    fact("parts in order", at == rank);
    MPI_Comm_free(&made);
    MPI_Comm_rank(part, &rank);
    const int to = (rank + 1) % 3, from = (rank + 2) % 3, weight = 7;
    MPI_Dist_graph_create_adjacent(part, 1, &from, &weight, 1, &to, &weight, MPI_INFO_NULL, 1,
                                   &made);
    fact("ring made", made != MPI_COMM_NULL);
    MPI_Comm_free(&made);
    MPI_Cancel(&pending);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    fact("strays", stray != -1);
    MPI_Comm_free(&part);
}

int main(int argc, char **argv)
{
    MPI_Comm half, between;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    if (argc > 1 && world_rank == 4)
        exit(atoi(argv[1]));
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world_rank % 2, 0, &between);
    MPI_Comm_set_errhandler(between, handler);
    refused(MPI_COMM_WORLD, between);
    kept(MPI_COMM_WORLD);
    graphs(MPI_COMM_WORLD, between);
    of_parts();
    MPI_Finalize();
    return 0;
}
