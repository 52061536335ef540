/** MPI_Cart_create whose ranks move. */
#ifndef LEADLINE_PRELOAD_CARTESIAN_H
#define LEADLINE_PRELOAD_CARTESIAN_H

#include "core.h"

/** As core.h says. */
bool cartesian_create(const struct cartesian_call *call, void *newcomm, int *status);

#endif
