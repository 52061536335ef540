#include "engine/sync.h"

#include "transport/transport.h"

void sync_barrier(int participants)
{
    const int rank = tp_rank();
    char out = 0, in;
    for (int step = 1; step < participants; step *= 2)
        tp_sendrecv(&out, 1, (rank + step) % participants, &in, 1,
                    (rank - step + participants) % participants, TAG_BARRIER);
}

void sync_broadcast_bytes(void *from, size_t bytes, int participants)
{
    const int rank = tp_rank();
    int step = 1;
    for (; step <= rank; step *= 2)
        if (rank < 2 * step)
            tp_recv(from, bytes, rank - step, TAG_BROADCAST);
    for (; rank + step < participants; step *= 2)
        tp_send(from, bytes, rank + step, TAG_BROADCAST);
}

void sync_broadcast(int64_t *value, int participants)
{
    sync_broadcast_bytes(value, sizeof *value, participants);
}

/* A rank has those of the `step` ranks from itself on, as far as there are so many. */
void sync_gather(void *items, size_t bytes, int participants)
{
    const int rank = tp_rank();
    for (int step = 1; step < participants; step *= 2) {
        const int whose = rank & step ? rank : rank + step;
        if (whose >= participants)
            continue;
        char *part = (char *)items + (size_t)whose * bytes;
        const int count = participants - whose < step ? participants - whose : step;
        if (rank & step) {
            tp_send(part, (size_t)count * bytes, rank - step, TAG_GATHER);
            break;
        }
        tp_recv(part, (size_t)count * bytes, rank + step, TAG_GATHER);
    }
}

int64_t sync_max(int64_t value, int participants)
{
    const int rank = tp_rank();
    for (int step = 1; step < participants; step *= 2) {
        if (rank & step) {
            tp_send(&value, sizeof value, rank - step, TAG_MAX);
            break;
        }
        int64_t theirs = 0; /* stays 0 where messages carry nothing (null) */
        if (rank + step < participants)
            tp_recv(&theirs, sizeof theirs, rank + step, TAG_MAX);
        value = theirs > value ? theirs : value;
    }
    return value;
}

void sync_meet(int participants)
{
    int64_t nothing = sync_max(0, participants);
    sync_broadcast(&nothing, participants);
}
