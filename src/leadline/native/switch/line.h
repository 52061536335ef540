/** A line that carries one frame at a time, bit after bit. */
#ifndef LEADLINE_SWITCH_LINE_H
#define LEADLINE_SWITCH_LINE_H

#include <stdint.h>

#include "framing.h"

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
