#include "engine/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "channel/control.h"
#include "channel/machine.h"
#include "channel/progress.h"
#include "engine/cadences.h"
#include "engine/clocks/clocks.h"
#include "engine/commands.h"
#include "engine/placements.h"
#include "engine/prepare/buffers.h"
#include "engine/prepare/cell.h"
#include "engine/shortcut.h"
#include "engine/solutions.h"
#include "engine/sync.h"
#include "engine/validation.h"
#include "engine/warm_up.h"

/* -- tracing ----------------------------------------------------------------------------------- */

/* Slices whose calls are written down (transport/tracing.h) instead of timed. */

static struct tp_log calls; /* of the slice traced last */

static void note_computation(const struct session *session)
{
    const struct pattern *pattern = session->params->pattern;
    if (!pattern->computation)
        return;
    const struct computation done = pattern->computation(session->cell);
    if (done.flop > 0 || done.bytes > 0)
        tp_trace_work(done.flop, done.bytes);
}

/** Runs the repetitions that were asked for, one at least, with their calls written down. */
static void tracing_run(struct session *session)
{
    const int64_t repetitions = at_least(session->params->repetitions, 1);
    progress_enter(session->params->id, PHASE_TRACING);
    if (session_solves(session))
        solutions_begin(session);
    tp_trace_begin();
    for (int64_t i = 0; i < repetitions; i++) {
        session_run(session, 1);
        note_computation(session);
        progress_advance();
    }
    calls = tp_trace_end();
    if (session_solves(session))
        solutions_end(session);
}

static void say(const struct params *params, struct tp_log log)
{
    control_say("traced id=%ld rank=%d bytes=%zu\n", params->id, tp_rank(), log.bytes);
    control_send(log.text, log.bytes);
}

/** Says "traced id=7 rank=R bytes=N", and the N bytes of the log. */
static void tracing_report(const struct session *session)
{
    say(session->params, calls);
}

/** Says the same with no log, of a rank that takes no part. */
static void tracing_report_nothing(const struct params *params)
{
    say(params, (struct tp_log){"", 0});
}

/* -- slices ------------------------------------------------------------------------------------ */

/** What is done with a slice's repetitions, and then said of them. */
struct task {
    void (*perform)(struct session *session);
    void (*report)(const struct session *session);
};

static struct record record; /* of the slice timed last */

static int participants_of(const struct pattern *pattern)
{
    const int size = tp_size();
    return pattern->participants && pattern->participants < size ? pattern->participants : size;
}

/* " spent=9000:70000 verified=norm:5.3e-05:5.3e-05": of applications; the second where a result was
   found right, of it what is furthest from what is expected. */
static void write_solved(const struct session *session, char *words, size_t room)
{
    const struct solved *solved = &session->solved;
    const struct mismatch *found = &solved->mismatch;
    words[0] = '\0';
    if (!session_solves(session))
        return;
    const int spent = snprintf(words, room, " spent=%" PRId64 ":%" PRId64, solved->communication_ns,
                               solved->elapsed_ns);
    if (found->quantity && found->real)
        snprintf(words + spent, room - (size_t)spent, " verified=%s:%.17g:%.17g", found->quantity,
                 found->expected_real, found->seen_real);
}

/* Where the time is the root's, the others' batches say nothing more and stay here; but who started
   late is everybody's word. */
static void send_result(const struct session *session)
{
    const bool counts = session->params->pattern->whose_time == WHOSE_SLOWEST ||
                        session->params->cadence == CADENCE_ISOLATED || tp_rank() == 0;
    const size_t bytes = counts ? record.count * sizeof *record.batches : 0;
    char *around = surroundings_words(session->around, session->params->links);
    const struct warm_up *before = &session->warm_up;
    char solved[192];
    write_solved(session, solved, sizeof solved);
    control_say("result id=%ld rank=%d repetitions=%ld bytes=%zu warm_up=%" PRId64 ":%" PRId64
                ":%d contends=%d %s%s\n",
                session->params->id, tp_rank(), session->repetitions, bytes, before->elapsed_ns,
                before->operations, before->converged, session_contends(session), around, solved);
    control_send(record.batches, bytes);
    free(around);
}

/* How many repetitions a batch has, unless that was said, comes out of the warm-up. */
static void settle_pace(struct session *session)
{
    const struct params *params = session->params;
    const bool due = warm_up_due(params);
    const bool alone = params->cadence == CADENCE_ISOLATED || session_solves(session);
    const long said = alone ? 1 : params->repetitions;
    if (due || said == 0) {
        progress_enter(params->id, PHASE_WARM_UP);
        session->warm_up = warm_up(session, &session->repetitions);
    }
    session->repetitions = said ? said : session->repetitions;
}

static void time_cell(struct session *session)
{
    const struct params *params = session->params;
    settle_pace(session);
    progress_enter(params->id, PHASE_TIMING);
    record.count = 0;
    if (session_solves(session))
        solutions_time(session, &record);
    else if (params->cadence == CADENCE_ISOLATED)
        isolate_samples(session, &record);
    else
        stream_batches(session, &record);
    surroundings_end(session->around, params->links, params->id, session->participants);
}

static const struct task timing = {time_cell, send_result};
static const struct task tracing = {tracing_run, tracing_report};

static void refuse(const struct params *params, const char *reason)
{
    control_say("refused id=%ld rank=%d %s\n", params->id, tp_rank(), reason);
}

/* Applications check each of their solutions. */
static void solve(struct session *session, const struct task *task)
{
    const struct pattern *pattern = session->params->pattern;
    progress_enter(session->params->id, PHASE_BUFFERS);
    const char *reason = solutions_prepare(session);
    solutions_break_off(session); /* other patterns left off anywhere */
    if (!reason)
        task->perform(session);
    if (pattern->end)
        pattern->end(session->cell);
    buffers_give_back();
    tp_rest(session->participants);
    if (reason)
        refuse(session->params, reason);
    else if (session->solved.wrong)
        validation_say(session->params, "timed", &session->solved.mismatch);
    else
        task->report(session);
}

/* Where validation fails the task is performed all the same: the other ranks don't know. */
static void validate_and(struct session *session, const struct task *task)
{
    const struct pattern *pattern = session->params->pattern;
    if (pattern->begin)
        pattern->begin(session->cell);
    const bool right = validation_before(session);
    const long first = session->position;
    validation_fill(session, first);
    sync_meet(session->participants);
    task->perform(session);
    progress_enter(session->params->id, PHASE_VALIDATION);
    const bool right_to_the_end = validation_after(session, first, right);
    if (pattern->end)
        pattern->end(session->cell);
    tp_rest(session->participants);
    if (right_to_the_end)
        task->report(session);
}

static void take_slice(struct session *session, const struct task *task)
{
    (session_solves(session) ? solve : validate_and)(session, task);
}

/* Rings go on where the last slice left them: cold stays cold. Traces are the same each time. */
static void take_turn(struct session *session)
{
    static int64_t position;
    progress_enter(session->params->id, PHASE_VALIDATION);
    if (session->params->traced) {
        take_slice(session, &tracing);
        return;
    }
    sync_broadcast(&position, session->participants);
    session->position = (long)position;
    take_slice(session, &timing);
    position = session->position;
}

/* What stands against the slice. Applications take much memory, which one rank may not have. */
static const char *make_cell(const struct session *session, struct cell *cell)
{
    const char *reason = cell_prepare(session->params, session->participants, cell);
    if (!session_solves(session))
        return reason;
    reason = solutions_agree(reason, session->participants);
    if (reason)
        buffers_give_back();
    return reason;
}

static void carry_out(const struct params *params, double clock_cost)
{
    static struct surroundings around;
    struct spent spent = {0};
    struct cell cell;
    struct session session = {
        .params = params,
        .cell = &cell,
        .participants = participants_of(params->pattern),
        .clock_cost_ns = clock_cost,
        .around = &around,
    };
    progress_enter(params->id, PHASE_BUFFERS);
    const char *reason = make_cell(&session, &cell);
    if (reason) {
        refuse(params, reason);
        return;
    }
    cell.spent = &spent;
    if (cell.rank < session.participants)
        take_turn(&session);
    else if (params->traced)
        tracing_report_nothing(params);
    progress_enter(params->id, PHASE_IDLE);
}

static void say_hello(double clock_cost)
{
    const struct machine *here = machine_here();
    char *cores = binding_cores();
    control_say("hello rank=%d size=%d pid=%ld host=%s machine=%s clock=%s clock_ns=%.1f cores=%s "
                "library=%.300s\n",
                tp_rank(), tp_size(), (long)getpid(), here->host, here->id, here->clock, clock_cost,
                cores, tp_library());
    free(cores);
}

static void obey(const char *line, double clock_cost)
{
    struct params params;
    char wrong[256];
    if (placements_obey(line))
        return;
    placements_end();
    if (clocks_obey(line))
        return;
    if (!params_parse(line, &params, wrong, sizeof wrong)) {
        fprintf(stderr, "leadline kernel: can't obey %s in: %s\n", wrong, line);
        exit(EXIT_FAILURE);
    }
    carry_out(&params, clock_cost);
}

enum { TRAINS = 20, READINGS = 200 };

/** What one reading costs, in nanoseconds: the least mean of several short trains of readings. */
static double clock_cost_ns(void)
{
    double least = 1e9;
    for (int train = 0; train < TRAINS; train++) {
        int64_t last = 0;
        const int64_t first = clock_now_ns();
        for (int i = 0; i < READINGS; i++)
            last = clock_now_ns();
        const double mean = (double)(last - first) / READINGS;
        least = mean < least ? mean : least;
    }
    return least;
}

void eng_serve(void)
{
    const double clock_cost = clock_cost_ns();
    const char *line;
    say_hello(clock_cost);
    while ((line = commands_next()) && strcmp(line, "end") != 0)
        if (!shortcut_obey(line))
            obey(line, clock_cost);
    placements_end();
}
