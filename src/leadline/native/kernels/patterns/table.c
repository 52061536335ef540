#include "patterns/table.h"

#include <string.h>

/* Every pattern, a line each: the files beside this one, and applications, define it as
 * pattern_NAME. */
/* clang-format off */
#define TABLE(PATTERN) \
    PATTERN(pingpong) \
    PATTERN(exchange) \
    PATTERN(barrier) \
    PATTERN(barrier_counter) \
    PATTERN(barrier_futex) \
    PATTERN(barrier_dissemination) \
    PATTERN(bcast) \
    PATTERN(gather) \
    PATTERN(scatter) \
    PATTERN(allgather) \
    PATTERN(alltoall) \
    PATTERN(allreduce) \
    PATTERN(reduce) \
    PATTERN(reduce_scatter) \
    PATTERN(scan) \
    PATTERN(exscan) \
    PATTERN(gatherv) \
    PATTERN(scatterv) \
    PATTERN(allgatherv) \
    PATTERN(alltoallv) \
    PATTERN(reduce_scatterv) \
    PATTERN(neighbor_allgather) \
    PATTERN(neighbor_alltoall) \
    PATTERN(ibarrier) \
    PATTERN(ibcast) \
    PATTERN(iallreduce) \
    PATTERN(iallgather) \
    PATTERN(ialltoall) \
    PATTERN(pingpong_strided) \
    PATTERN(pingpong_strided_packed) \
    PATTERN(pingpong_struct) \
    PATTERN(pingpong_struct_packed) \
    PATTERN(pingpong_multiple) \
    PATTERN(pingpong_threads) \
    PATTERN(pack) \
    PATTERN(unpack) \
    PATTERN(pingpong_packed) \
    PATTERN(put) \
    PATTERN(get) \
    PATTERN(put_window) \
    PATTERN(get_window) \
    PATTERN(put_flag) \
    PATTERN(fetch_add) \
    PATTERN(compare_swap) \
    PATTERN(gsum_master) \
    PATTERN(gmax_master) \
    PATTERN(gland_master) \
    PATTERN(vector_sum_log2) \
    PATTERN(pingpong_sync) \
    PATTERN(pingpong_nonblocking) \
    PATTERN(pingpong_buffered) \
    PATTERN(pingpong_persistent) \
    PATTERN(pingpong_anysource) \
    PATTERN(unexpected) \
    PATTERN(stream) \
    PATTERN(message_rate) \
    PATTERN(pair) \
    PATTERN(cyclic) \
    PATTERN(cyclic_two_step) \
    PATTERN(halo) \
    PATTERN(mg) \
    PATTERN(mg_puts) \
    PATTERN(stap) \
    /* the end */

#define DECLARE(name) extern const struct pattern pattern_##name;
#define ENTRY(name) &pattern_##name,

TABLE(DECLARE)
/* One more, where a test or a benchmark links it in; else its address is NULL, the table's end. */
extern const struct pattern pattern_extra __attribute__((weak));

const struct pattern *const patterns[] = {
    TABLE(ENTRY)
    &pattern_extra,
    NULL,
};
/* clang-format on */

const struct pattern *pattern_named(const char *name)
{
    for (const struct pattern *const *entry = patterns; *entry; entry++)
        if (strcmp((*entry)->name, name) == 0)
            return *entry;
    return NULL;
}
