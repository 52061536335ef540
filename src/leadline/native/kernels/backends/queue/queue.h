/**
 * A queue that is searched by source and tag: receives that wait for their message, or messages
 * that wait for their receive. First come, first matched.
 */
#ifndef LEADLINE_QUEUE_H
#define LEADLINE_QUEUE_H

#include <stddef.h>

enum { ANY_SOURCE = -1, NOBODY = -2 };

/** The first member of what is queued. */
struct entry {
    struct entry *next;
    int source; /* a rank; of receives also ANY_SOURCE; NOBODY: of what isn't queued */
    int tag;
};

struct queue {
    struct entry *first;
    struct entry **end; /* where the next one is hung; of an empty queue nothing */
    size_t length;
};

/** Appends `entry`, which stays where it is until it is taken out. */
void queue_add(struct queue *queue, struct entry *entry);

/**
 * Takes out the first entry with the source and the tag, where ANY_SOURCE on either side fits
 * every source; NULL if there is none. Time proportional to the number of entries passed over.
 */
struct entry *queue_take(struct queue *queue, int source, int tag);

#endif
