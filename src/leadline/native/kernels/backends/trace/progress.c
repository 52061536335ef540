#include "backends/trace/progress.h"

#include <poll.h>

#include "backends/trace/job.h"
#include "backends/trace/matching.h"
#include "backends/trace/symmetric.h"
#include "backends/trace/wire.h"

static void take(const struct piece *piece, const char *payload)
{
    if (piece->kind == MESSAGE || piece->kind == SYNCHRONOUS)
        arrivals_take(piece, payload);
    else if (piece->kind == ANSWER)
        answers_take(piece, payload);
    else
        symmetric_serve(piece, payload);
}

static bool take_in(void)
{
    struct piece piece;
    const char *payload;
    const bool came = inbox_read();
    while (inbox_next(&piece, &payload))
        take(&piece, payload);
    return came;
}

static void take_in_or_sleep(void)
{
    if (take_in())
        return;
    struct pollfd pipes[] = {
        {.fd = pipe_of(job.rank), .events = POLLIN},
        {.fd = outbox_waits_for(), .events = POLLOUT},
    };
    poll(pipes, 2, -1);
}

void progress(void)
{
    outbox_move();
    take_in();
}

void progress_or_sleep(void)
{
    outbox_move();
    take_in_or_sleep();
}

/* Never sleeps with an empty outbox: what it waited for may just have left. */
void progress_until_sent(void)
{
    for (outbox_move(); outbox_waits_for() >= 0; outbox_move())
        take_in_or_sleep();
}

void progress_until(const bool *done)
{
    while (!*done)
        progress_or_sleep();
    progress_until_sent();
}
