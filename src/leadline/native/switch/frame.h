/** A frame on its way through the switch. */
#ifndef LEADLINE_SWITCH_FRAME_H
#define LEADLINE_SWITCH_FRAME_H

#include <linux/virtio_net.h>
#include <stdint.h>

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

#endif
