/** Deliveries that are to be made, the earliest first: a binary heap. */
#ifndef LEADLINE_SWITCH_AGENDA_H
#define LEADLINE_SWITCH_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"
#include "line.h"

struct delivery {
    struct frame *frame;
    int32_t to;          /**< port, from 0 */
    int64_t start_ns;    /**< when the first bit was on the receiver's line */
    int64_t end_ns;      /**< when that line was free again */
    int64_t due_ns;      /**< when the receiver is to have it */
    uint64_t order;      /**< of several that are due at once the first one goes first */
    struct passage sent; /**< on the sender's line */
};

struct agenda {
    int64_t count, room;
    struct delivery *heap; /**< [count] none is due before its parent, (i - 1) / 2 */
    uint64_t added;
};

/** Puts `delivery` in. Returns whether there was memory. */
bool agenda_add(struct agenda *agenda, struct delivery delivery);

/** Takes out the earliest; the agenda isn't empty. */
struct delivery agenda_take(struct agenda *agenda);

/** Calls `change` for all, in the order of their starts; it may give them other times. */
void agenda_revise(struct agenda *agenda, void (*change)(struct delivery *delivery, void *what),
                   void *what);

void agenda_free(struct agenda *agenda);

#endif
