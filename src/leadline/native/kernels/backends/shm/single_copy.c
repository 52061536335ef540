#include "backends/shm/single_copy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "backends/shm/segment.h"
#include "transport/transport.h"

enum {
    TAG = 32767,
    QUIET_ROUNDS = 5, /* at the end: none of them brought a notably better time */
    LAST_ROUND = 24,
    NOTABLE_PART = 16, /* of a time, by which another is better */
    TRIES = 3,
    LEAST_CLASS_BYTES = 1 << 14,
    INTERRUPTED_NS = 50000, /* beyond the time at 1 GB/s: a rank lost its core meanwhile */
};

static const char variable[] = "LEADLINE_SINGLE_COPY";
static const char nowhere[] = "none";
static const char separator[] = ",";

/* What this rank goes by when it sends; ranks 0 and 1 set it this way and that to calibrate. */
static unsigned char single[2][SIZE_CLASSES]; /* [resent][size class] */

/* For the messages of which size class, resent or not, as the variable says it. */
static const char *const names[2][SIZE_CLASSES] = {
    {"16k", "64k", "256k", "1m"},
    {"16k-resent", "64k-resent", "256k-resent", "1m-resent"},
};

static size_t class_bytes(int size_class)
{
    return (size_t)LEAST_CLASS_BYTES << 2 * size_class;
}

bool single_copy_pays(size_t bytes, bool resent)
{
    int size_class = SIZE_CLASSES - 1;
    while (size_class >= 0 && bytes < class_bytes(size_class))
        size_class--;
    return size_class >= 0 && single[resent][size_class];
}

static ssize_t read_from(int peer, void *to, const void *source, size_t bytes)
{
    const struct iovec here = {to, bytes}, there = {(void *)source, bytes};
    return process_vm_readv(job.lines[peer].pid, &here, 1, &there, 1, 0);
}

/* The kernel may stop before the end of a very large message. */
void single_copy_read(int peer, void *to, const void *source, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got =
            read_from(peer, (char *)to + done, (const char *)source + done, bytes - done);
        if (got <= 0)
            shm_fail("can't read a message from the sender's memory", strerror(errno));
        done += (size_t)got;
    }
}

/* Tries to read a word of every rank's memory: a security policy may forbid it. True if all ranks
   can read all. */
static bool permitted(void)
{
    static int number;
    int64_t refused = 0, refused_anywhere;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* where Yama lets only parents look */
    number = job.rank + 1;
    job.lines[job.rank].pid = getpid();
    job.lines[job.rank].number = &number;
    tp_barrier();
    for (int peer = 0; peer < job.ranks; peer++) {
        int seen = 0;
        const ssize_t got = read_from(peer, &seen, job.lines[peer].number, sizeof seen);
        refused |= got != sizeof seen || seen != peer + 1;
    }
    tp_allreduce(&refused, &refused_anywhere, 1, TP_INT64, TP_MAX);
    return !refused_anywhere;
}

static int64_t exchange_ns(char *out, char *in, size_t bytes)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (job.rank == 0)
        tp_send(out, bytes, 1, TAG);
    tp_recv(in, bytes, 1 - job.rank, TAG);
    if (job.rank == 1)
        tp_send(out, bytes, 0, TAG);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (end.tv_sec - start.tv_sec) * INT64_C(1000000000) + end.tv_nsec - start.tv_nsec;
}

/* The least of a few times; the first after a change of way finds the caches as the other way left
   them and doesn't count. */
static int64_t least_ns(char *out, char *in, size_t bytes)
{
    int64_t least = INT64_MAX;
    exchange_ns(out, in, bytes);
    for (int i = 0; i < TRIES; i++) {
        const int64_t elapsed = exchange_ns(out, in, bytes);
        least = elapsed < least ? elapsed : least;
    }
    return least;
}

/* Times both ways (single or double), resent or not, in all size classes; whether any time is
   notably better than its least so far. A disturbance so spoils one round of all rather than all
   of one. */
static bool time_a_round(char *out, char *in, int64_t least[2][2][SIZE_CLASSES])
{
    bool better = false;
    for (int i = 0; i < 2 * 2 * SIZE_CLASSES; i++) {
        const int way = i % 2, resent = i / 2 % 2, size_class = i / 4;
        int64_t *best = &least[way][resent][size_class];
        single[resent][size_class] = way == 1;
        const int64_t elapsed = least_ns(out, resent ? in : out, class_bytes(size_class));
        better |= elapsed < *best - *best / NOTABLE_PART;
        *best = elapsed < *best ? elapsed : *best;
    }
    return better;
}

/* What rank 0 finds. */
static bool agreed(bool found)
{
    if (job.rank == 0)
        tp_send(&found, sizeof found, 1, TAG);
    else
        tp_recv(&found, sizeof found, 0, TAG);
    return found;
}

/* Rounds until the last few agree with the best before them: a launch starts beside others. */
static void time_both_ways(int64_t least[2][2][SIZE_CLASSES])
{
    const size_t most = class_bytes(SIZE_CLASSES - 1);
    char *out = malloc(2 * most), *in = out + most;
    if (!out)
        shm_fail("no memory for", "the calibration of large messages");
    memset(out, 1, 2 * most);
    for (int i = 0; i < 2 * 2 * SIZE_CLASSES; i++)
        least[i % 2][i / 2 % 2][i / 4] = INT64_MAX;
    for (int round = 0, quiet = 0; round < LAST_ROUND && quiet < QUIET_ROUNDS; round++)
        quiet = agreed(time_a_round(out, in, least)) ? 0 : quiet + 1;
    free(out);
}

/* Double copy is the rule; it has to be beaten by more than chance would, undisturbed. */
static void decide(void)
{
    int64_t least[2][2][SIZE_CLASSES];
    time_both_ways(least);
    for (int resent = 0; resent < 2 && job.rank == 0; resent++)
        for (int size_class = 0; size_class < SIZE_CLASSES; size_class++) {
            const int64_t both = least[0][resent][size_class], one = least[1][resent][size_class];
            const int64_t round_trip_bytes = 2 * (int64_t)class_bytes(size_class);
            job.segment->single_copy[resent][size_class] =
                one < both - both / 8 && both < round_trip_bytes + INTERRUPTED_NS;
        }
}

static bool set(const char *name)
{
    for (int i = 0; i < 2 * SIZE_CLASSES; i++)
        if (strcmp(names[i / SIZE_CLASSES][i % SIZE_CLASSES], name) == 0) {
            single[i / SIZE_CLASSES][i % SIZE_CLASSES] = true;
            return true;
        }
    return strcmp(name, nowhere) == 0;
}

/* Whether the variable said it all. */
static bool told(void)
{
    const char *value = getenv(variable);
    char *names_left, *list = value && *value ? strdup(value) : NULL;
    if (!list)
        return false;
    for (char *name = strtok_r(list, separator, &names_left); name;
         name = strtok_r(NULL, separator, &names_left))
        if (!set(name))
            shm_fail("LEADLINE_SINGLE_COPY is neither none nor a list as 1m,64k-resent", value);
    free(list);
    return true;
}

void single_copy_choose(void)
{
    if (job.ranks == 1 || !permitted() || told() || job.crowded)
        return;
    if (job.rank < 2)
        decide();
    tp_barrier();
    memcpy(single, job.segment->single_copy, sizeof single);
}

const char *single_copy_names(void)
{
    static char text[128]; /* room for all */
    size_t used = 0;
    for (int i = 0; i < 2 * SIZE_CLASSES; i++)
        if (single[i / SIZE_CLASSES][i % SIZE_CLASSES])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? separator : "",
                                     names[i / SIZE_CLASSES][i % SIZE_CLASSES]);
    return used ? text : nowhere;
}
