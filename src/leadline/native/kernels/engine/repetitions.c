#include "engine/repetitions.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/machine.h"

enum {
    LOOKS = 1000, /* before giving the core away: about a microsecond */
    NAPS = 1000,  /* of a look each, before sleeping: about half a millisecond */
};

static struct {
    const struct pattern *pattern;
    const struct cell *cell;
    long first, last;
} task;

static atomic_long posted, finished; /* numbers of tasks */
static atomic_bool asleep;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void await(atomic_long *counter, long value)
{
    for (int looks = 0; atomic_load(counter) < value; looks++)
        if (looks >= LOOKS)
            sched_yield();
}

static void await_or_sleep(long number)
{
    for (int naps = 0; atomic_load(&posted) < number && naps < NAPS; naps++)
        sched_yield();
    if (atomic_load(&posted) >= number)
        return;
    pthread_mutex_lock(&mutex);
    atomic_store(&asleep, true); /* before the last look: who posts looks here afterwards */
    while (atomic_load(&posted) < number)
        pthread_cond_wait(&more, &mutex);
    atomic_store(&asleep, false);
    pthread_mutex_unlock(&mutex);
}

static void *serve(void *unused)
{
    binding_apply_second(tp_rank(), tp_size());
    for (long number = 1;; number++) {
        await_or_sleep(number);
        task.pattern->second(task.cell, task.first, task.last);
        atomic_store(&finished, number);
    }
    return unused;
}

static void start_once(void)
{
    static bool started;
    pthread_t thread;
    if (started)
        return;
    const int error = pthread_create(&thread, NULL, serve, NULL);
    if (error) {
        fprintf(stderr, "leadline kernel: no second thread: %s\n", strerror(error));
        exit(EXIT_FAILURE);
    }
    started = true;
}

static long post(const struct pattern *pattern, const struct cell *cell, long first, long last)
{
    start_once();
    task.pattern = pattern;
    task.cell = cell;
    task.first = first;
    task.last = last;
    const long number = atomic_fetch_add(&posted, 1) + 1;
    if (atomic_load(&asleep)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&mutex);
    }
    return number;
}

void repetitions_run(const struct pattern *pattern, const struct cell *cell, long first, long last)
{
    const long number = pattern->second ? post(pattern, cell, first, last) : 0;
    pattern->run(cell, first, last);
    await(&finished, number);
}
