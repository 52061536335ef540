#include "engine/streaming.h"

#include "channel/progress.h"
#include "engine/sync.h"

/* Operations that are to contend begin together: a rank ahead would have the last of its batches,
   and those behind theirs, without the others. */
static void run_batches(struct session *session, int64_t batches, int64_t flags,
                        struct record *record)
{
    const bool together = session_contends(session);
    session_run(session, 1); /* untimed: the word from rank 0 is still settling */
    for (int64_t i = 0; i < batches; i++) {
        if (together)
            sync_barrier(session->participants);
        const int64_t start = clock_now_ns();
        session_run(session, session->repetitions);
        const int64_t end = clock_now_ns();
        rec_add(record, start, end, flags | session_clock_flag(session, end - start));
        progress_advance();
    }
}

/* How many batches to run next: what fits the time left, given the mean batch so far; 0 at the
   end. Halved, because the mean may be wrong. */
static int64_t next_batches(const struct record *record, int64_t left_ns, int64_t spent_ns,
                            long most)
{
    const int64_t have = (int64_t)record->count - WARM_UP_BATCHES;
    const int64_t batch_ns = at_least(spent_ns / (int64_t)record->count, 1);
    const int64_t fitting = left_ns > 0 ? at_least(left_ns / batch_ns / 2, 1) : 0;
    const int64_t wanted = at_least(fitting, FEWEST_BATCHES - have);
    const int64_t room = most - have;
    return at_least(wanted < room ? wanted : room, 0);
}

void stream_batches(struct session *session, struct record *record)
{
    const int64_t begin = clock_now_ns();
    int64_t batches = WARM_UP_BATCHES;
    rec_reserve(record, (size_t)session->params->max_batches + WARM_UP_BATCHES);
    for (int64_t flags = FLAG_WARM_UP; batches > 0; flags = 0) {
        run_batches(session, batches, flags, record);
        if (flags)
            surroundings_begin(session->around, session->params->links);
        const int64_t spent = clock_now_ns() - begin;
        batches = next_batches(record, session->params->slice_ns - spent, spent,
                               session->params->max_batches);
        sync_broadcast(&batches, session->participants);
    }
    session_translate(record);
}
