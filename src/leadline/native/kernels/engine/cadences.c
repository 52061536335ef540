#include "engine/cadences.h"

#include "channel/progress.h"
#include "engine/clocks/clocks.h"
#include "engine/sync.h"
#include "transport/simulation.h"

/* -- streaming --------------------------------------------------------------------------------- */

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

/* -- isolated ---------------------------------------------------------------------------------- */

enum {
    MOST_WINDOWS = 32,      /* between two looks at how many were late */
    MOST_OVERTIME = 9,      /* slices that getting FEWEST_BATCHES in time may take */
    MARGIN_NS = 10000,      /* from hearing of the first deadline to reaching it, at least */
    ANNOUNCEMENTS = 2,      /* to find out how long they take */
    TOLERANCE_NS = 100,     /* past the deadline, at least: no preemption is so short */
    TOLERATED_READINGS = 3, /* or as long as these take: what comes late by them waited for none */
    LONG_BEFORE_NS = 1000000000,
    SIMULATED_SAMPLES = 2,
    WINDOW_SLACK_NS = 1000, /* to note a sample and be back before the next deadline */
};

static bool reached_late(int64_t deadline_ns, int64_t tolerance_ns)
{
    return clock_await_ns(deadline_ns) > deadline_ns + tolerance_ns;
}

static int64_t tolerance_ns(const struct session *session)
{
    return at_least(TOLERANCE_NS, (int64_t)(TOLERATED_READINGS * session->clock_cost_ns));
}

/* From rank 0 to all, and back: on its way to another host a word takes longer than on this one. */
static int64_t announcement_ns(int participants)
{
    int64_t shortest = INT64_MAX;
    for (int i = 0; i < ANNOUNCEMENTS; i++) {
        const int64_t begin = clock_now_ns();
        sync_meet(participants);
        const int64_t took = clock_now_ns() - begin;
        shortest = took < shortest ? took : shortest;
    }
    return shortest;
}

static int64_t run_windows(struct session *session, int64_t first_deadline_ns, int64_t window_ns,
                           int64_t windows, int64_t flags, struct record *record)
{
    const int64_t tolerance = tolerance_ns(session);
    int64_t late = 0;
    for (int64_t i = 0; i < windows; i++) {
        const int64_t deadline = first_deadline_ns + i * window_ns;
        const int64_t here = clocks_here_ns(deadline);
        const bool missed = reached_late(here, tolerance);
        session_run(session, 1);
        const int64_t elapsed = clock_now_ns() - here;
        rec_add(record, deadline, deadline + elapsed,
                flags | (missed ? FLAG_LATE : 0) | session_clock_flag(session, elapsed));
        late += missed;
        progress_advance();
    }
    return late;
}

/* One round: rank 0 announces the first deadline, all run the windows, rank 0 hears who was late.
 */
static int64_t round_of_windows(struct session *session, int64_t window_ns, int64_t windows,
                                int64_t flags, struct record *record)
{
    int64_t first_deadline = clock_now_ns() + MARGIN_NS + session->announcement_ns + 2 * window_ns;
    sync_broadcast(&first_deadline, session->participants);
    const int64_t late = run_windows(session, first_deadline, window_ns, windows, flags, record);
    return sync_max(late, session->participants);
}

/* The shortest of the last samples, or `least_ns`. */
static int64_t least_of(const struct record *record, int64_t samples, int64_t least_ns)
{
    for (size_t i = record->count - (size_t)samples; i < record->count; i++) {
        const int64_t elapsed = record->batches[i].end_ns - record->batches[i].start_ns;
        least_ns = elapsed < least_ns ? elapsed : least_ns;
    }
    return least_ns;
}

/* Room for an operation at its best so far, twice, on the rank where that is longest; `widened` as
   too many were late. Disturbed first operations so make no wide windows for the whole slice. */
static int64_t next_window(const struct session *session, int64_t least_ns, int64_t widened)
{
    const int64_t longest = sync_max(least_ns, session->participants);
    int64_t window = widened * (2 * longest + WINDOW_SLACK_NS);
    sync_broadcast(&window, session->participants);
    return window;
}

/* How many windows to run next: what fits the time left; more while too few were met in time, but
   not for ever, and some however long an operation takes; never more than there is room for. */
static int64_t next_windows(const struct record *record, const struct params *params,
                            int64_t left_ns, int64_t window_ns, int64_t met)
{
    const int64_t room = params->max_batches + WARM_UP_BATCHES - (int64_t)record->count;
    const bool is_first = record->count == WARM_UP_BATCHES;
    const bool goes_on = is_first || left_ns > -MOST_OVERTIME * params->slice_ns;
    const int64_t fitting = left_ns > 0 ? at_least(left_ns / window_ns, 1) : 0;
    const int64_t wanted = at_least(fitting, goes_on ? FEWEST_BATCHES - met : 0);
    const int64_t most = room < MOST_WINDOWS ? room : MOST_WINDOWS;
    return at_least(wanted < most ? wanted : most, 0);
}

/* To wait takes no time where that is simulated: a meeting before each operation, and a deadline
   that everybody has heard of long before. Nothing warms up, all take the same. */
static void isolate_simulated(struct session *session, struct record *record)
{
    rec_reserve(record, SIMULATED_SAMPLES);
    surroundings_begin(session->around, session->params->links);
    for (int i = 0; i < SIMULATED_SAMPLES; i++)
        round_of_windows(session, LONG_BEFORE_NS, 1, 0, record);
}

static void isolate_measured(struct session *session, struct record *record)
{
    const struct params *params = session->params;
    session->announcement_ns = announcement_ns(session->participants);
    const int64_t end = clock_now_ns() + params->slice_ns;
    int64_t least = session_least_ns(session, 1), widened = 1;
    int64_t windows = WARM_UP_BATCHES, met = -WARM_UP_BATCHES;
    rec_reserve(record, (size_t)params->max_batches + WARM_UP_BATCHES);
    for (int64_t flags = FLAG_WARM_UP; windows > 0; flags = 0) {
        const int64_t window = next_window(session, least, widened);
        const int64_t late = round_of_windows(session, window, windows, flags, record);
        if (flags)
            surroundings_begin(session->around, session->params->links);
        least = least_of(record, windows, least);
        met += windows - (flags ? 0 : late);
        widened *= late * 4 > windows ? 2 : 1;
        windows = next_windows(record, params, end - clock_now_ns(), window, met);
        sync_broadcast(&windows, session->participants);
    }
}

void isolate_samples(struct session *session, struct record *record)
{
    (tp_simulated() ? isolate_simulated : isolate_measured)(session, record);
}
