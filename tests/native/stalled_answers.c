/**
 * Rank 0 waits for a core before each second of its first answers to who reads its clock, as on
 * busy cores, in the time of virtual_ranks.c: linked in with "-Wl,--wrap=model_common_ns", which is
 * called once for each.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "engine/clocks/model.h"
#include "virtual_ranks.h"

enum { FIRST = 20, STALL_NS = 24000000 };

int64_t __real_model_common_ns(const struct model *model, int64_t here_ns);
int64_t __wrap_model_common_ns(const struct model *model, int64_t here_ns);

int64_t __wrap_model_common_ns(const struct model *model, int64_t here_ns)
{
    static int answers;
    const char *rank = getenv("LEADLINE_RANK");
    const bool is_stalled = ++answers <= FIRST && answers % 2 == 0;
    if (is_stalled && rank && atoi(rank) == 0)
        virtual_wait_ns(STALL_NS);
    return __real_model_common_ns(model, here_ns);
}
