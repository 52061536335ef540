#include "engine/solutions.h"

#include "channel/progress.h"
#include "engine/sync.h"
#include "engine/validation.h"

static long repetitions_of(const struct session *session)
{
    return problem_of(session->params->pattern, session->cell)->repetitions;
}

static bool at_boundary(const struct session *session)
{
    return session->position % repetitions_of(session) == 0;
}

const char *solutions_agree(const char *reason, int participants)
{
    int64_t against = sync_max(reason != NULL, participants);
    sync_broadcast(&against, participants);
    return reason || !against ? reason : "another rank can't have what it needs";
}

const char *solutions_prepare(const struct session *session)
{
    const struct application *application = session->params->pattern->application;
    const char *reason = application->prepare ? application->prepare(session->cell) : NULL;
    return solutions_agree(reason, session->participants);
}

void solutions_begin(const struct session *session)
{
    if (!at_boundary(session))
        return;
    validation_clear(session);
    session->params->pattern->application->restart(session->cell);
    validation_settle(session);
    sync_meet(session->participants);
}

static void note(struct session *session, bool right, struct mismatch mismatch)
{
    struct solved *solved = &session->solved;
    const bool further = relative_error(&mismatch) > relative_error(&solved->mismatch);
    if (!solved->wrong && (!right || !solved->mismatch.quantity || further))
        solved->mismatch = mismatch;
    solved->wrong = solved->wrong || !right;
}

void solutions_end(struct session *session)
{
    const struct pattern *pattern = session->params->pattern;
    struct mismatch mismatch = {0};
    if (!at_boundary(session) || !pattern->check || !tp_carries_payload)
        return;
    validation_settle(session);
    const bool right = pattern->check(session->cell, session->position - 1, &mismatch);
    note(session, right, mismatch);
}

void solutions_break_off(struct session *session)
{
    const long repetitions = repetitions_of(session);
    session->position = (session->position + repetitions - 1) / repetitions * repetitions;
}

/* What a solution's `restart` and `check` communicate is no part of it. */
static void time_repetition(struct session *session, int64_t flags, struct record *record)
{
    session->cell->spent->communication_ns = 0;
    const int64_t start = clock_now_ns();
    session_run(session, 1);
    const int64_t end = clock_now_ns();
    rec_add(record, start, end, flags | session_clock_flag(session, end - start));
    if (flags == 0) {
        session->solved.communication_ns += session->cell->spent->communication_ns;
        session->solved.elapsed_ns += end - start;
    }
    progress_advance();
}

static void time_solution(struct session *session, struct record *record)
{
    solutions_begin(session);
    for (long i = repetitions_of(session); i > 0; i--)
        time_repetition(session, 0, record);
    solutions_end(session);
}

/* The caches find back to the problem. */
static void find_back(struct session *session, struct record *record)
{
    solutions_break_off(session);
    solutions_begin(session);
    time_repetition(session, FLAG_WARM_UP, record);
    solutions_break_off(session);
}

/* Whether rank 0 has batches to get, or time for half of another solution like those `done`. */
static int64_t another(const struct session *session, int64_t done, int64_t spent_ns)
{
    const struct params *params = session->params;
    const int64_t batches = done * repetitions_of(session);
    const bool room = batches + repetitions_of(session) <= params->max_batches;
    return room && (batches < FEWEST_BATCHES || spent_ns + spent_ns / done / 2 < params->slice_ns);
}

void solutions_time(struct session *session, struct record *record)
{
    int64_t goes_on = 1;
    rec_reserve(record,
                (size_t)at_least(session->params->max_batches, repetitions_of(session)) + 1);
    find_back(session, record);
    surroundings_begin(session->around, session->params->links);
    const int64_t begin = clock_now_ns();
    for (int64_t done = 1; goes_on; done++) {
        time_solution(session, record);
        goes_on = another(session, done, clock_now_ns() - begin);
        sync_broadcast(&goes_on, session->participants);
    }
    session_translate(record);
}
