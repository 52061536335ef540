/**
 * When frames reach their receivers. Nothing is sent here and no clock is read, so that equal calls
 * give equal times.
 *
 * Switched: each port has a line to the switch and one back. A frame goes onto its sender's line
 * when that is free, and onto its receiver's, cut-through, as soon as it has begun there and that
 * one is free: frames of several senders to one receiver wait in the switch, and hold up nobody
 * else.
 * Shared: there is one line. Ports that have a frame take turns: the one goes next that has waited
 * longest since its own last frame.
 */
#ifndef LEADLINE_SWITCH_MEDIUM_H
#define LEADLINE_SWITCH_MEDIUM_H

#include <stdbool.h>
#include <stdint.h>

#include "frame.h"
#include "line.h"

/** Of each of the three that add up to a frame's delay: what is on its way is in memory. */
static const int64_t MOST_DELAY_NS = 10000000000;

enum sharing { MEDIUM_SWITCHED, MEDIUM_SHARED };

struct medium_form {
    enum sharing sharing;
    enum framing framing;
    int32_t ports;
    int64_t rate_bits_per_s; /**< 1 to 10^11 */
    int64_t delay_ns;        /**< from the last bit to the delivery; up to MOST_DELAY_NS */
    int64_t queue_bytes;     /**< that wait for one sender's or one receiver's line at most */
};

/** What is wrong with a port's line, both ways. */
struct impairment {
    double rate_share; /**< above 0; 1: the whole rate */
    int64_t delay_ns;  /**< beside the medium's, of each frame sent and each received; as it */
    bool cut;          /**< nothing passes */
};

struct traffic {
    int64_t sent_frames, sent_bytes;         /**< that the port gave to the medium */
    int64_t received_frames, received_bytes; /**< that were delivered to it */
    int64_t dropped_frames;                  /**< of its own, by a full queue or a cut line */
    int64_t sending_ns, receiving_ns;        /**< that its frames occupied a line */
};

struct medium;

/** A medium without frames. NULL: no memory. */
struct medium *medium_make(const struct medium_form *form);

void medium_free(struct medium *medium);

/** Takes over `frame`, which says from where and where to; `arrival_ns` never decreases. */
void medium_offer(struct medium *medium, struct frame *frame);

/**
 * No delivery is due before; INT64_MAX: there is no frame. It is exact unless frames wait for a
 * receiver's line: ask again at that time.
 */
int64_t medium_next_ns(const struct medium *medium);

/** The next delivery due by `now_ns` to `delivery`; release its frame. Returns false: there's none.
 */
bool medium_take(struct medium *medium, int64_t now_ns, struct delivery *delivery);

/**
 * From `now_ns` on; frames that already are on the line to their receiver keep their times, those
 * that wait for it don't.
 */
void medium_impair(struct medium *medium, int32_t port, struct impairment impairment,
                   int64_t now_ns);

struct impairment medium_impairment(const struct medium *medium, int32_t port);

struct traffic medium_traffic(const struct medium *medium, int32_t port);

#endif
