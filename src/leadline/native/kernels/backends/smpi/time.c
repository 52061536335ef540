/** Time, as SimGrid simulates it. */
#include <mpi.h>
#include <time.h>

#include "transport/simulation.h"

enum { NS_PER_S = 1000000000 };

const char tp_simulation_algorithm[] = "SimGrid SMPI";

int64_t tp_now_ns(void)
{
    return (int64_t)(MPI_Wtime() * NS_PER_S + 0.5);
}

/* By the compiler wrapper nanosleep is the simulator's. */
void tp_sleep_ns(int64_t ns)
{
    const struct timespec time = {.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
    nanosleep(&time, NULL);
}
