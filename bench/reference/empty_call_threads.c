/** Calls of a function that does nothing by two threads at the same time, each on its own. */
#include "patterns/pattern.h"

void nothing(void);

static void empty_call(const struct cell *cell, long first, long last)
{
    (void)cell;
    for (long i = first; i < last; i++)
        nothing();
}

static void empty_call_second(const struct cell *cell, long first, long last)
{
    (void)cell;
    for (long i = first; i < last; i++)
        nothing();
}

const struct pattern pattern_extra = {
    .name = "empty_call",
    .summary = "a call of a function that does nothing, of each of two threads",
    .algorithm = "native",
    .messages_per_repetition = 1,
    .granularity = 1,
    .threads = 2,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = empty_call,
    .second = empty_call_second,
};
