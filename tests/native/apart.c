/**
 * Ranks that run one after the other where they were to begin together, for tests of what tells
 * batches that didn't contend: linked in with "-Wl,--wrap=sync_barrier" and
 * "-Wl,--wrap=progress_advance". Each begins when the one before it has ended its batch, however
 * long that took.
 */
#include "channel/progress.h"
#include "engine/sync.h"
#include "transport/transport.h"

enum { TAG_TURN = 31000 }; /* of no message of patterns, helpers or the engine */

static int taking_turns; /* how many ranks are in this batch; 0: outside of one */

void __real_sync_barrier(int participants);
void __wrap_sync_barrier(int participants);
void __real_progress_advance(void);
void __wrap_progress_advance(void);

void __wrap_sync_barrier(int participants)
{
    char turn;
    __real_sync_barrier(participants);
    taking_turns = participants;
    if (tp_rank() > 0)
        tp_recv(&turn, 1, tp_rank() - 1, TAG_TURN);
}

/* What the engine calls when a batch has ended. */
void __wrap_progress_advance(void)
{
    char turn = 0;
    __real_progress_advance();
    if (tp_rank() + 1 < taking_turns)
        tp_send(&turn, 1, tp_rank() + 1, TAG_TURN);
    taking_turns = 0;
}
