/** MPI's requests, by slot. */
#ifndef LEADLINE_MPI_REQUESTS_H
#define LEADLINE_MPI_REQUESTS_H

#include <mpi.h>

#include "transport/transport.h"

extern MPI_Request mpi_requests[TP_MOST_REQUESTS];

#endif
