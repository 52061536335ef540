/** Absent: each rank is a process, and time goes by itself. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(simulation);

ABSENT(int64_t, now_ns, (void))
ABSENT(void, sleep_ns, (int64_t ns))
