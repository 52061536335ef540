/** Where the ranks of a communicator run, as far as it is found without a description. */
#ifndef LEADLINE_PRELOAD_PLACES_H
#define LEADLINE_PRELOAD_PLACES_H

#include <mpi.h>
#include <stdint.h>

enum { PLACE_HOST_BYTES = 72 };

struct place {
    int32_t node; /**< the lowest rank that shares memory with this one */
    int32_t core; /**< the first core that it may run on, by the system's number; -1: unknown */
    char host[PLACE_HOST_BYTES]; /**< $SLURMD_NODENAME, else the host's name, which need not be
                                    another one on another node */
};

/**
 * All ranks of `comm` call this: rank 0 gets everybody's place in `places` ([size]), which the
 * others ignore. Returns MPI_SUCCESS or the library's error. Nodes are found at the first call, and
 * kept with `comm`.
 */
int places_gather(MPI_Comm comm, struct place *places);

#endif
