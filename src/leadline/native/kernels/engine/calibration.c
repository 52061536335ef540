#include "engine/calibration.h"

#include "engine/sync.h"

/* The next number of repetitions to try, or minus the one to stay with. */
static int64_t next_trial(long repetitions, int64_t elapsed_ns, int64_t batch_ns)
{
    const double ratio = (double)batch_ns / (double)at_least(elapsed_ns, 1);
    if (ratio <= 2)
        return -at_least((int64_t)((double)repetitions * ratio + 0.5), 1);
    return (int64_t)((double)repetitions * (ratio < 10 ? ratio : 10));
}

long calibrate(struct session *session)
{
    int64_t trial = 1;
    while (trial > 0) {
        const int64_t elapsed = session_least_ns(session, (long)trial);
        trial = next_trial((long)trial, elapsed, session->params->batch_ns);
        sync_broadcast(&trial, session->participants);
    }
    return (long)-trial;
}
