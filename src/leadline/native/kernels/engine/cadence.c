#include "engine/cadence.h"

#include "channel/progress.h"
#include "engine/repetitions.h"
#include "engine/sync.h"

enum {
    CALIBRATION_RUNS = 3, /* the least of them counts: a preemption only lengthens */
    WARM_UP_BATCHES = 2,
    FEWEST_BATCHES = 3,     /* timed, however long one takes */
    MOST_WINDOWS = 32,      /* between two looks at how many were late */
    MOST_OVERTIME = 9,      /* slices that getting FEWEST_BATCHES in time may take */
    MARGIN_NS = 10000,      /* from announcing the first deadline to reaching it, at least */
    TOLERANCE_NS = 100,     /* past the deadline: a few clock readings, not a preemption */
    WINDOW_SLACK_NS = 1000, /* to note a sample and be back before the next deadline */
};

static const double largest_clock_share = 0.005;

static void run(struct session *session, long repetitions)
{
    repetitions_run(session->params->pattern, session->cell, session->position,
                    session->position + repetitions);
    session->position += repetitions;
}

static int64_t least_time(struct session *session, long repetitions)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < CALIBRATION_RUNS; i++) {
        const int64_t start = clock_now_ns();
        run(session, repetitions);
        const int64_t elapsed = clock_now_ns() - start;
        least = elapsed < least ? elapsed : least;
        progress_advance();
    }
    return least;
}

/* The next number of repetitions to try, or minus the one to stay with. */
static int64_t next_trial(long repetitions, int64_t elapsed_ns, int64_t batch_ns)
{
    const double ratio = (double)batch_ns / (double)(elapsed_ns > 0 ? elapsed_ns : 1);
    if (ratio <= 2) {
        const int64_t fitting = (int64_t)((double)repetitions * ratio + 0.5);
        return -(fitting > 0 ? fitting : 1);
    }
    return (int64_t)((double)repetitions * (ratio < 10 ? ratio : 10));
}

long cadence_calibrate(struct session *session)
{
    int64_t trial = 1;
    while (trial > 0) {
        const int64_t elapsed = least_time(session, (long)trial);
        trial = next_trial((long)trial, elapsed, session->params->batch_ns);
        sync_broadcast(&trial, session->participants);
    }
    return (long)-trial;
}

static int64_t clock_flag(const struct session *session, int64_t elapsed_ns)
{
    const double share = session->clock_cost_ns / (double)(elapsed_ns > 0 ? elapsed_ns : 1);
    return share > largest_clock_share ? FLAG_CLOCK_BOUND : 0;
}

static void run_batches(struct session *session, int64_t batches, int64_t flags,
                        struct record *record)
{
    run(session, 1); /* untimed: the word from rank 0 is still settling */
    for (int64_t i = 0; i < batches; i++) {
        const int64_t start = clock_now_ns();
        run(session, session->repetitions);
        const int64_t end = clock_now_ns();
        rec_add(record, start, end, flags | clock_flag(session, end - start));
        progress_advance();
    }
}

static int64_t at_least(int64_t value, int64_t least)
{
    return value > least ? value : least;
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

void cadence_streaming(struct session *session, struct record *record)
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
}

static bool reached_late(int64_t deadline_ns)
{
    int64_t now = clock_now_ns();
    while (now < deadline_ns)
        now = clock_now_ns();
    return now > deadline_ns + TOLERANCE_NS;
}

static int64_t run_windows(struct session *session, int64_t first_deadline_ns, int64_t window_ns,
                           int64_t windows, int64_t flags, struct record *record)
{
    int64_t late = 0;
    for (int64_t i = 0; i < windows; i++) {
        const int64_t deadline = first_deadline_ns + i * window_ns;
        const bool missed = reached_late(deadline);
        run(session, 1);
        const int64_t end = clock_now_ns();
        rec_add(record, deadline, end,
                flags | (missed ? FLAG_LATE : 0) | clock_flag(session, end - deadline));
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
    int64_t first_deadline = clock_now_ns() + MARGIN_NS + 2 * window_ns;
    sync_broadcast(&first_deadline, session->participants);
    const int64_t late = run_windows(session, first_deadline, window_ns, windows, flags, record);
    return sync_max(late, session->participants);
}

static int64_t first_window(struct session *session)
{
    const int64_t longest = sync_max(least_time(session, 1), session->participants);
    int64_t window = 2 * longest + WINDOW_SLACK_NS;
    sync_broadcast(&window, session->participants);
    return window;
}

/* How many windows to run next: what fits the time left; more while too few were met in time, but
   not for ever; never more than there is room for. */
static int64_t next_windows(int64_t left_ns, int64_t window_ns, int64_t met, int64_t room,
                            int64_t slice_ns)
{
    const int64_t fitting = left_ns > 0 ? at_least(left_ns / window_ns, 1) : 0;
    const int64_t missing = left_ns > -MOST_OVERTIME * slice_ns ? FEWEST_BATCHES - met : 0;
    const int64_t wanted = at_least(fitting, missing);
    const int64_t most = room < MOST_WINDOWS ? room : MOST_WINDOWS;
    return at_least(wanted < most ? wanted : most, 0);
}

void cadence_isolated(struct session *session, struct record *record)
{
    const struct params *params = session->params;
    const int64_t end = clock_now_ns() + params->slice_ns;
    const int64_t most = params->max_batches + WARM_UP_BATCHES;
    int64_t window = first_window(session), windows = WARM_UP_BATCHES;
    int64_t met = -WARM_UP_BATCHES;
    rec_reserve(record, (size_t)most);
    for (int64_t flags = FLAG_WARM_UP; windows > 0; flags = 0) {
        const int64_t late = round_of_windows(session, window, windows, flags, record);
        if (flags)
            surroundings_begin(session->around, session->params->links);
        met += windows - (flags ? 0 : late);
        if (late * 4 > windows)
            window *= 2;
        windows = next_windows(end - clock_now_ns(), window, met, most - (int64_t)record->count,
                               params->slice_ns);
        sync_broadcast(&window, session->participants);
        sync_broadcast(&windows, session->participants);
    }
}
