/** Absent: needs memory that all ranks share. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(barrier_counter);

ABSENT(void, barrier_counter, (void))
