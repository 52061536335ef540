/** Calls of a function that does nothing, in another object: what any program pays for a call. */
#include "patterns/pattern.h"

void nothing(void);

static void empty_call(const struct cell *cell, long first, long last)
{
    (void)cell;
    for (long i = first; i < last; i++)
        nothing();
}

const struct pattern pattern_extra = {
    .name = "empty_call",
    .summary = "a call of a function that does nothing",
    .algorithm = "native",
    .messages_per_repetition = 1,
    .granularity = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = empty_call,
};
