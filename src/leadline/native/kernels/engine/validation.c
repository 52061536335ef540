#include "engine/validation.h"

#include <inttypes.h>
#include <stdio.h>

#include "channel/control.h"
#include "engine/prepare/buffers.h"
#include "engine/repetitions.h"
#include "engine/sync.h"

/* "offset=104 expected=7 seen=9", or "quantity=norm expected=5.3e-05 seen=5.4e-05". */
static void write_wrong(const struct mismatch *mismatch, char *words, size_t room)
{
    if (!mismatch->quantity)
        snprintf(words, room, "offset=%zu expected=%" PRIu64 " seen=%" PRIu64,
                 mismatch->offset_bytes, mismatch->expected, mismatch->seen);
    else if (mismatch->real)
        snprintf(words, room, "quantity=%s real=1 expected=%.17g seen=%.17g", mismatch->quantity,
                 mismatch->expected_real, mismatch->seen_real);
    else
        snprintf(words, room, "quantity=%s real=0 expected=%" PRIu64 " seen=%" PRIu64,
                 mismatch->quantity, mismatch->expected, mismatch->seen);
}

void validation_say(const struct params *params, const char *pass, const struct mismatch *mismatch)
{
    char wrong[256];
    write_wrong(mismatch, wrong, sizeof wrong);
    control_say("fault id=%ld rank=%d pass=%s %s\n", params->id, tp_rank(), pass, wrong);
}

void validation_settle(const struct session *session)
{
    if (!session->params->pattern->symmetric)
        return;
    tp_symmetric_sync();
    sync_meet(session->participants);
    tp_symmetric_sync();
}

void validation_clear(const struct session *session)
{
    validation_settle(session);
    if (session->params->pattern->symmetric)
        buffers_clear_words(session->cell);
}

void validation_fill(const struct session *session, long repetition)
{
    const struct pattern *pattern = session->params->pattern;
    validation_clear(session);
    if (pattern->fill)
        pattern->fill(session->cell, repetition);
    validation_settle(session);
}

static bool nothing_to_tell(const struct session *session)
{
    const struct pattern *pattern = session->params->pattern;
    return !tp_carries_payload || only_computes(session->cell) ||
           !(pattern->validate || pattern->check);
}

/* A repetition with known contents in the pattern's own way, where it has one. */
static bool validated(struct session *session, struct mismatch *mismatch)
{
    const struct pattern *pattern = session->params->pattern;
    const long repetition = session->position++;
    validation_fill(session, repetition);
    return pattern->validate(pattern, session->cell, repetition, mismatch);
}

/* A repetition with known contents, run as the timed ones are. */
static bool ran_right(struct session *session, struct mismatch *mismatch)
{
    const struct pattern *pattern = session->params->pattern;
    const long repetition = session->position++;
    if (!pattern->check)
        return true;
    validation_fill(session, repetition);
    sync_meet(session->participants);
    repetitions_run(pattern, session->cell, repetition, repetition + 1);
    validation_settle(session);
    return pattern->check(session->cell, repetition, mismatch);
}

/* Patterns' own ways put libraries to the test: nothing is learnt of one where calls are written
   down, and a thousand ranks would take minutes, for all take their turns. */
static bool has_own_way(const struct params *params)
{
    return params->pattern->validate && !params->traced;
}

/* Two repetitions of which no reduction can be a copy of one rank's in both; the first in the
   pattern's own way, where it has one. */
static bool pair_right(struct session *session, struct mismatch *mismatch)
{
    const bool own_way = has_own_way(session->params);
    struct mismatch second = {0};
    session->position += session->position % 2;
    const bool right = own_way ? validated(session, mismatch) : ran_right(session, mismatch);
    const bool still = ran_right(session, &second);
    *mismatch = right ? second : *mismatch;
    return right && still;
}

bool validation_before(struct session *session)
{
    struct mismatch mismatch = {0};
    if (nothing_to_tell(session))
        return true;
    const bool right = pair_right(session, &mismatch);
    if (!right)
        validation_say(session->params, "validation", &mismatch);
    return right;
}

/* Whether the timed pass moved what was filled in before it, and nothing else. */
static bool contents_stand(const struct session *session)
{
    const struct pattern *pattern = session->params->pattern;
    const size_t slots = pattern->messages_in_flight > 0 ? (size_t)pattern->messages_in_flight : 1;
    return pattern->check && session->cell->out.mask < slots && session->cell->roots.mask == 0;
}

static bool left_right(const struct session *session, long filled, struct mismatch *mismatch)
{
    validation_settle(session);
    return !contents_stand(session) ||
           session->params->pattern->check(session->cell, filled, mismatch);
}

bool validation_after(struct session *session, long filled, bool right_before)
{
    struct mismatch left = {0}, last = {0};
    if (nothing_to_tell(session))
        return right_before;
    const bool right = left_right(session, filled, &left);
    const bool last_right = pair_right(session, &last);
    if (right_before && !(right && last_right)) /* one answer a slice */
        validation_say(session->params, "timed", right ? &last : &left);
    return right_before && right && last_right;
}
