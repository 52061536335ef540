#include "engine/validation.h"

#include <inttypes.h>

#include "channel/control.h"
#include "engine/prepare/buffers.h"
#include "engine/repetitions.h"
#include "engine/sync.h"

/* "wrong" names the pass and the place; the front-end fails the cell, the campaign goes on. */
static void say_wrong(const struct params *params, const char *pass,
                      const struct mismatch *mismatch)
{
    control_say("fault id=%ld rank=%d pass=%s offset=%zu expected=%" PRIu64 " seen=%" PRIu64 "\n",
                params->id, tp_rank(), pass, mismatch->offset_bytes, mismatch->expected,
                mismatch->seen);
}

/* One-sided operations meet the plain loads and stores of their targets here. */
static void settle(const struct session *session)
{
    if (!session->params->pattern->symmetric)
        return;
    tp_symmetric_sync();
    sync_barrier(session->participants);
    tp_symmetric_sync();
}

void validation_fill(const struct session *session, long repetition)
{
    const struct pattern *pattern = session->params->pattern;
    settle(session);
    if (pattern->symmetric)
        buffers_clear_words(session->cell);
    if (pattern->fill)
        pattern->fill(session->cell, repetition);
    settle(session);
}

static bool fill_run_check(const struct session *session, struct mismatch *mismatch)
{
    const struct pattern *pattern = session->params->pattern;
    bool right = true;
    for (long i = 0; i < 2; i++) {
        validation_fill(session, i);
        repetitions_run(pattern, session->cell, i, i + 1);
        settle(session);
        right &= pattern->check(session->cell, i, mismatch);
    }
    return right;
}

bool validation_before(const struct session *session)
{
    const struct pattern *pattern = session->params->pattern;
    struct mismatch mismatch = {0};
    if (!tp_carries_payload || only_computes(session->cell) ||
        !(pattern->validate || pattern->fill))
        return true;
    if (pattern->validate)
        validation_fill(session, 0);
    const bool right = pattern->validate ? pattern->validate(pattern, session->cell, &mismatch)
                                         : fill_run_check(session, &mismatch);
    if (!right)
        say_wrong(session->params, "validation", &mismatch);
    return right;
}

/* Rotating buffers, or roots, can't all be filled before each slice, so there one more repetition
   is run with known contents, in its turn of the rotation. */
static void run_a_known_one(struct session *session)
{
    const struct pattern *pattern = session->params->pattern;
    validation_fill(session, session->position);
    sync_barrier(session->participants);
    repetitions_run(pattern, session->cell, session->position, session->position + 1);
    session->position++;
}

bool validation_after(struct session *session, bool right_before)
{
    const struct pattern *pattern = session->params->pattern;
    struct mismatch mismatch = {0};
    if (!tp_carries_payload || only_computes(session->cell) || !pattern->check)
        return right_before;
    if (session->cell->out.mask > 0 || session->cell->roots.mask > 0)
        run_a_known_one(session);
    settle(session);
    if (!right_before)
        return false; /* one answer a slice */
    if (pattern->check(session->cell, session->position - 1, &mismatch))
        return true;
    say_wrong(session->params, "timed", &mismatch);
    return false;
}
