/** One clock read from afar: messages go there and back, and bring what it showed. */
#ifndef LEADLINE_CLOCKS_PINGS_H
#define LEADLINE_CLOCKS_PINGS_H

#include <stdbool.h>

#include "engine/clocks/model.h"

enum { MOST_PINGS = 256 };

/** A message there and back: when, by this clock, and what the other one showed in between. */
struct ping {
    int64_t sent_ns, common_ns, received_ns;
};

/**
 * What `count` pings, from 9 to MOST_PINGS, say of the moment at which the first that counts was
 * sent, where this clock gains `drift` seconds in a second. Those count that are together, or all
 * where none are.
 *
 * The other clock was read after the message was sent and before the answer came. The fastest of
 * all ways there and the fastest of all ways back, of whatever pings, bound it most closely; it is
 * taken to lie in the middle, as if both took equally long (as SKaMPI does: Worsch, Reussner and
 * Augustin 2002). The error is what the next fastest ways would say otherwise, an eighth of them.
 */
struct reading pings_settle(const struct ping *pings, long count, double drift);

/**
 * Whether 9 or more of `count` pings are together: sent and answered within 30 ms, or within 32 of
 * the shortest round trips where that is longer.
 */
bool pings_are_together(const struct ping *pings, long count);

/**
 * Whether `count` pings that took `spent_ns` are enough: 16, and 100 or 10 ms; but all 256 or 30 ms
 * while the shortest round trip isn't within a fourth of `usual_ns`, that of earlier readings (0:
 * there are none, and nobody knows how fast messages can be).
 */
bool pings_suffice(long count, int64_t spent_ns, int64_t shortest_ns, int64_t usual_ns);

/**
 * Sends pings until they suffice and are together (at most 256, or 1 s), and reads by them the
 * common clock as `peer` knows it, which calls pings_answer meanwhile; `drift` as known
 * so far, `usual_ns` as pings_suffice has it.
 */
struct reading pings_read(int peer, int64_t usual_ns, double drift);

/** Answers `peer` with the common clock as `model` has it. */
void pings_answer(int peer, const struct model *model);

#endif
