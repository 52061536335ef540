#include "engine/tracing.h"

#include "channel/control.h"
#include "channel/progress.h"
#include "engine/solutions.h"

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

void tracing_run(struct session *session)
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

void tracing_report(const struct session *session)
{
    say(session->params, calls);
}

void tracing_report_nothing(const struct params *params)
{
    say(params, (struct tp_log){"", 0});
}
