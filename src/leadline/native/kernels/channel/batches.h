/** The batches of one slice on this rank, raw. Nothing here averages. */
#ifndef LEADLINE_BATCHES_H
#define LEADLINE_BATCHES_H

#include <stdint.h>
#include <stdlib.h>

enum {
    FLAG_WARM_UP = 1,
    FLAG_LATE = 2,
    FLAG_CLOCK_BOUND = 4,
    FLAG_MISCOUNTED = 8,
    FLAG_APART = 16,
};

/** What the front-end knows a flag by. */
struct flag {
    const char *name;
    int value;
};

/** All flags, ended by one without a name. */
extern const struct flag batch_flags[];

/** One batch, as it goes over the control channel (host byte order). */
struct batch {
    int64_t start_ns; /* isolated cadence: the common deadline */
    int64_t end_ns;
    int64_t flags;
};

struct record {
    struct batch *batches;
    size_t count, room;
};

/** Makes room for `batches` batches in all, so that rec_add never allocates. Aborts if it can't. */
void rec_reserve(struct record *record, size_t batches);

static inline void rec_add(struct record *record, int64_t start_ns, int64_t end_ns, int64_t flags)
{
    if (record->count < record->room)
        record->batches[record->count++] = (struct batch){start_ns, end_ns, flags};
}

#endif
