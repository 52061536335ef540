/** Frames on their way through the switch, and when they are to be delivered. */
#ifndef LEADLINE_SWITCH_FRAME_H
#define LEADLINE_SWITCH_FRAME_H

#include <linux/virtio_net.h>
#include <stdbool.h>
#include <stdint.h>

#include "line.h"

/* -- frames ------------------------------------------------------------------------------------ */

enum { EVERYONE = -1 };

struct frame {
    struct frame *next; /**< behind it in its sender's queue */
    int64_t arrival_ns; /**< when the switch had it from its sender */
    int32_t from;       /**< port, from 0 */
    int32_t to;         /**< port; EVERYONE: all but the sender */
    int32_t bytes;      /**< from the destination's address on, without a check sequence */
    int32_t holders;    /**< deliveries that are still to be made of it */
    struct virtio_net_hdr undone; /**< the checksum, if its sender left that out; 0: nothing */
    uint8_t octets[];             /**< [bytes] */
};

/** A copy of `bytes` octets, for nobody yet. NULL: no memory. */
struct frame *frame_make(const void *octets, int32_t bytes);

/** One holder less; with the last one the frame is gone. */
void frame_release(struct frame *frame);

/* -- deliveries -------------------------------------------------------------------------------- */

/* Those that are to be made, the earliest first: a binary heap. */

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
