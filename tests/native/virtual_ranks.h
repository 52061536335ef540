/** Time among ranks that passes as a test says: see virtual_ranks.c. */
#ifndef LEADLINE_VIRTUAL_RANKS_H
#define LEADLINE_VIRTUAL_RANKS_H

#include <stdint.h>

/** This rank waits for so long. */
void virtual_wait_ns(int64_t ns);

#endif
