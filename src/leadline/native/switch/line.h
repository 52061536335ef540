/** A line that carries one frame at a time, bit after bit, and what a frame takes on it. */
#ifndef LEADLINE_SWITCH_LINE_H
#define LEADLINE_SWITCH_LINE_H

#include <stdint.h>

/* -- framing ----------------------------------------------------------------------------------- */

/* What a frame takes on the wire, by what carries it. */

enum framing {
    FRAMING_ETHERNET, /**< IEEE 802.3: preamble 8, at least 60 bytes, check sequence 4, gap 12 */
    FRAMING_ATM       /**< AAL5 (ITU-T I.363.5) with LLC/SNAP (RFC 2684): cells of 48 in 53 bytes */
};

enum { ETHERNET_HEADER = 14 };

struct extent {
    int64_t carried_bits;  /**< up to the last one that the receiver waits for */
    int64_t occupied_bits; /**< and up to where the next frame may begin */
};

/** Of a frame of `frame_bytes` with its Ethernet header, which ATM doesn't carry. */
struct extent framing_extent(enum framing framing, int64_t frame_bytes);

/* -- the line ---------------------------------------------------------------------------------- */

/** When the line is free. Times don't drift: what is less than a nanosecond is kept. */
struct line {
    int64_t free_ns;
    int64_t free_part; /**< and so many ns / rate_bits_per_s */
    int64_t rate_bits_per_s;
};

/** A frame's times on a line, in whole nanoseconds, rounded down. */
struct passage {
    int64_t start_ns; /**< of its first bit */
    int64_t last_ns;  /**< when the last bit that is waited for has come */
    int64_t end_ns;   /**< when the next frame may begin */
};

/** The passage of a frame that is ready at `ready_ns`; the line stays as it is. */
struct passage line_preview(const struct line *line, int64_t rate_bits_per_s, int64_t ready_ns,
                            struct extent extent);

/** The same, and the line is taken until its end. */
struct passage line_take(struct line *line, int64_t rate_bits_per_s, int64_t ready_ns,
                         struct extent extent);

/** Keeps the line taken until `until_ns` at least. */
void line_hold(struct line *line, int64_t until_ns);

#endif
