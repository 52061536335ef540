/**
 * A log of who sends what to whom, made by the patterns themselves: their messages travel through
 * named pipes, and every call is written down. A rank that waits sleeps, so that a thousand ranks
 * run on a few cores. How long anything takes here says nothing.
 *
 *   wire       the job; a pipe for each rank, which all others write to; what is to leave, cut into
 *              pieces; pieces that have come
 *   arrivals   messages and their receives; what other ranks do to this one's memory; what a rank
 *              does while it waits
 *   log        the calls
 *   two_sided, one_sided, collectives   the operations
 */
#include <stdint.h>

#include "backends/trace/arrivals.h"
#include "backends/trace/wire.h"
#include "transport/transport.h"

const char tp_backend[] = "trace";
const bool tp_carries_payload = true;
const size_t tp_max_message_bytes = SIZE_MAX / 2;

const char *tp_library(void)
{
    return "traced messages 1 (named pipes)";
}

void tp_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    job_join();
    pipes_open();
    arrivals_open();
    tp_barrier();
}

void tp_finalize(void)
{
    tp_barrier(); /* what a rank sends is lost where nobody has the pipe open */
    pipes_close();
}

int tp_rank(void)
{
    return job.rank;
}

int tp_size(void)
{
    return job.ranks;
}
