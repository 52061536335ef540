#include "patterns/table.h"

#include <stdio.h>
#include <string.h>

extern const struct pattern pattern_pingpong;
extern const struct pattern pattern_exchange;
extern const struct pattern pattern_barrier, pattern_barrier_counter, pattern_barrier_futex,
    pattern_barrier_dissemination;
extern const struct pattern pattern_bcast, pattern_gather, pattern_scatter;
extern const struct pattern pattern_allgather, pattern_total_exchange;
extern const struct pattern pattern_gatherv, pattern_scatterv, pattern_allgatherv,
    pattern_total_exchangev, pattern_reduce_scatterv;
extern const struct pattern pattern_neighbor_allgather, pattern_neighbor_alltoall;
extern const struct pattern pattern_ibarrier, pattern_ibcast, pattern_iallreduce,
    pattern_iallgather, pattern_itotal_exchange;
extern const struct pattern pattern_pingpong_strided, pattern_pingpong_strided_packed,
    pattern_pingpong_struct, pattern_pingpong_struct_packed;
extern const struct pattern pattern_pingpong_multiple, pattern_pingpong_threads;
extern const struct pattern pattern_pingpong_sync, pattern_pingpong_nonblocking,
    pattern_pingpong_buffered, pattern_pingpong_persistent, pattern_pingpong_anysource,
    pattern_unexpected;
extern const struct pattern pattern_stream, pattern_message_rate;
extern const struct pattern pattern_allreduce, pattern_reduce, pattern_reduce_scatter, pattern_scan,
    pattern_exscan;
extern const struct pattern pattern_pack, pattern_unpack, pattern_pingpong_packed;
extern const struct pattern pattern_put, pattern_get, pattern_put_window, pattern_get_window,
    pattern_put_flag;
extern const struct pattern pattern_fetch_add, pattern_compare_swap;
extern const struct pattern pattern_gsum_master, pattern_gmax_master, pattern_gland_master,
    pattern_vector_sum_log2;

/* One more, where a test or a benchmark links it in; else its address is NULL, the table's end. */
extern const struct pattern pattern_extra __attribute__((weak));

/* One a line, so that adding one is adding a line. */
/* clang-format off */
const struct pattern *const patterns[] = {
    &pattern_pingpong,
    &pattern_exchange,
    &pattern_barrier,
    &pattern_barrier_counter,
    &pattern_barrier_futex,
    &pattern_barrier_dissemination,
    &pattern_bcast,
    &pattern_gather,
    &pattern_scatter,
    &pattern_allgather,
    &pattern_total_exchange,
    &pattern_allreduce,
    &pattern_reduce,
    &pattern_reduce_scatter,
    &pattern_scan,
    &pattern_exscan,
    &pattern_gatherv,
    &pattern_scatterv,
    &pattern_allgatherv,
    &pattern_total_exchangev,
    &pattern_reduce_scatterv,
    &pattern_neighbor_allgather,
    &pattern_neighbor_alltoall,
    &pattern_ibarrier,
    &pattern_ibcast,
    &pattern_iallreduce,
    &pattern_iallgather,
    &pattern_itotal_exchange,
    &pattern_pingpong_strided,
    &pattern_pingpong_strided_packed,
    &pattern_pingpong_struct,
    &pattern_pingpong_struct_packed,
    &pattern_pingpong_multiple,
    &pattern_pingpong_threads,
    &pattern_pack,
    &pattern_unpack,
    &pattern_pingpong_packed,
    &pattern_put,
    &pattern_get,
    &pattern_put_window,
    &pattern_get_window,
    &pattern_put_flag,
    &pattern_fetch_add,
    &pattern_compare_swap,
    &pattern_gsum_master,
    &pattern_gmax_master,
    &pattern_gland_master,
    &pattern_vector_sum_log2,
    &pattern_pingpong_sync,
    &pattern_pingpong_nonblocking,
    &pattern_pingpong_buffered,
    &pattern_pingpong_persistent,
    &pattern_pingpong_anysource,
    &pattern_unexpected,
    &pattern_stream,
    &pattern_message_rate,
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

/* "op": ["sum", "max"], "type": ["double", "int64"] */
static void describe_options(unsigned taken)
{
    const char *separator = "";
    for (int i = 0; i < OPTIONS; i++) {
        if (!(taken & 1u << i))
            continue;
        printf("%s\"%s\": [", separator, options[i].key);
        for (const char *const *word = options[i].words; *word; word++)
            printf("\"%s\"%s", *word, word[1] ? ", " : "");
        printf("]");
        separator = ", ";
    }
}

/* Bytes of memory for each byte of payload. */
static double stretch_of(const struct pattern *pattern)
{
    const size_t element = pattern->granularity;
    if (pattern->form == TP_CONTIGUOUS)
        return 1;
    const size_t taken = payload_span(pattern->form, element) + element; /* and packed */
    return (double)taken / (double)element;
}

static void describe(const struct pattern *pattern, const char *separator)
{
    static const char *const rooms[] = {"one", "rank", "neighbour", "thread"}; /* by enum room */
    printf("  {\"name\": \"%s\", \"summary\": \"%s\", \"algorithm\": \"%s\", "
           "\"participants\": %d, \"in_pairs\": %s, \"messages_per_repetition\": %d, "
           "\"messages_in_flight\": %d, \"one_buffer\": %s, \"granularity\": %zu, "
           "\"least_bytes\": %zu, "
           "\"keeps_input\": %s, \"room\": \"%s\", \"stretch\": %.1f, \"threads\": %d, "
           "\"whose_time\": \"%s\", "
           "\"cadence\": \"%s\", \"options\": {",
           pattern->name, pattern->summary, pattern->algorithm, pattern->participants,
           pattern->in_pairs ? "true" : "false", pattern->messages_per_repetition,
           pattern->messages_in_flight > 0 ? pattern->messages_in_flight : 1,
           pattern->one_buffer ? "true" : "false", pattern->granularity, pattern->least_bytes,
           pattern->keeps_input ? "true" : "false",
           rooms[pattern->out_room > pattern->in_room ? pattern->out_room : pattern->in_room],
           stretch_of(pattern), pattern->threads,
           pattern->whose_time == WHOSE_ROOT ? "root" : "slowest rank",
           pattern->cadence == CADENCE_STREAMING ? "streaming" : "isolated");
    describe_options(pattern->options);
    printf("}}%s\n", separator);
}

void patterns_describe(void)
{
    printf("{\"backend\": \"%s\", \"carries_payload\": %s, \"max_message_bytes\": %zu, "
           "\"patterns\": [\n",
           tp_backend, tp_carries_payload ? "true" : "false", tp_max_message_bytes);
    for (const struct pattern *const *entry = patterns; *entry; entry++)
        describe(*entry, entry[1] ? "," : "");
    puts("]}");
}
