/**
 * Checks backends/queue/queue.h against a search of a plain array, over a fixed sequence of
 * entries that are added and taken; a difference ends it with status 1.
 */
#include "backends/queue/queue.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENTRIES = 64, STEPS = 200000, RANKS = 3, TAGS = 4 };

static struct entry entries[ENTRIES];
static struct entry *plain[ENTRIES]; /* what is in the queue, in order */
static size_t count;

static unsigned next(unsigned below)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % below;
}

static struct entry *unused(void)
{
    struct entry *entry = entries;
    for (size_t i = 0; i < count; i++)
        if (plain[i] == entry) {
            entry++;
            i = (size_t)-1;
        }
    return entry;
}

static struct entry *take_plainly(int source, int tag)
{
    for (size_t i = 0; i < count; i++) {
        struct entry *entry = plain[i];
        const int any = entry->source == ANY_SOURCE || source == ANY_SOURCE;
        if (entry->tag != tag || (entry->source != source && !any))
            continue;
        count--;
        for (; i < count; i++)
            plain[i] = plain[i + 1];
        return entry;
    }
    return NULL;
}

int main(void)
{
    static struct queue queue;
    for (int step = 0; step < STEPS; step++) {
        const int source = (int)next(RANKS + 1) - 1, tag = (int)next(TAGS);
        if (count < ENTRIES && next(2)) {
            struct entry *entry = unused();
            *entry = (struct entry){.source = source, .tag = tag};
            plain[count++] = entry;
            queue_add(&queue, entry);
        } else if (queue_take(&queue, source, tag) != take_plainly(source, tag)) {
            fprintf(stderr, "step %d: another entry was first\n", step);
            return EXIT_FAILURE;
        }
        if (queue.length != count) {
            fprintf(stderr, "step %d: %zu entries, not %zu\n", step, queue.length, count);
            return EXIT_FAILURE;
        }
    }
    printf("%d steps as in a plain array\n", STEPS);
    return EXIT_SUCCESS;
}
