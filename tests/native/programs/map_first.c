/** Prints how many ranks MPI_Cart_map, which is the first call of its kind, moves in a 3x3. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const int dims[2] = {3, 3}, periods[2] = {0, 0};
    int rank, mapped, moves, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &mapped);
    moves = mapped != rank;
    MPI_Reduce(&moves, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("moved %d\n", sum);
    MPI_Finalize();
    return 0;
}
