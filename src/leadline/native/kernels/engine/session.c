#include "engine/session.h"

#include "channel/progress.h"
#include "engine/clocks/clocks.h"

enum { RUNS = 3 };

static const double largest_clock_share = 0.005;

int64_t session_least_ns(struct session *session, long repetitions)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < RUNS; i++) {
        const int64_t start = clock_now_ns();
        session_run(session, repetitions);
        const int64_t elapsed = clock_now_ns() - start;
        least = elapsed < least ? elapsed : least;
        progress_advance();
    }
    return least;
}

int64_t session_clock_flag(const struct session *session, int64_t elapsed_ns)
{
    const double share = session->clock_cost_ns / (double)at_least(elapsed_ns, 1);
    return share > largest_clock_share ? FLAG_CLOCK_BOUND : 0;
}

void session_translate(struct record *record)
{
    for (size_t i = 0; i < record->count; i++) {
        struct batch *batch = &record->batches[i];
        const int64_t elapsed = batch->end_ns - batch->start_ns;
        batch->start_ns = clocks_common_ns(batch->start_ns);
        batch->end_ns = batch->start_ns + elapsed;
    }
}
