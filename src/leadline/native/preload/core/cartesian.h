/** MPI_Cart_create and MPI_Cart_map whose ranks move. */
#ifndef LEADLINE_PRELOAD_CARTESIAN_H
#define LEADLINE_PRELOAD_CARTESIAN_H

#include "core.h"

/** As core.h says. */
bool cartesian_create(const struct cartesian_call *call, void *newcomm, int *status);

/** As core.h says. */
bool cartesian_map(const struct cartesian_call *call, int *newrank, int *status);

#endif
