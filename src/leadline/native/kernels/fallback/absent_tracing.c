/** Absent: calls aren't written down where they are timed. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(tracing);

ABSENT(void, trace_begin, (void))
ABSENT(void, trace_work, (size_t flop, size_t bytes))
ABSENT(struct tp_log, trace_end, (void))
