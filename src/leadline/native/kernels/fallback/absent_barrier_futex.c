/** Absent: needs memory that all ranks share. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(barrier_futex);

ABSENT(void, barrier_futex, (void))
