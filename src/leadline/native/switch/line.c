#include "line.h"

#include "clock.h"

/* -- framing ----------------------------------------------------------------------------------- */

enum { PREAMBLE = 8, LEAST = 60, CHECK = 4, GAP = 12 };
enum { CELL = 53, PAYLOAD = 48, LLC_SNAP = 8, TRAILER = 8 };

static struct extent ethernet(int64_t frame_bytes)
{
    const int64_t bytes = PREAMBLE + (frame_bytes > LEAST ? frame_bytes : LEAST) + CHECK;
    return (struct extent){.carried_bits = 8 * bytes, .occupied_bits = 8 * (bytes + GAP)};
}

static struct extent atm(int64_t frame_bytes)
{
    const int64_t packet = frame_bytes > ETHERNET_HEADER ? frame_bytes - ETHERNET_HEADER : 0;
    const int64_t cells = (packet + LLC_SNAP + TRAILER + PAYLOAD - 1) / PAYLOAD;
    return (struct extent){.carried_bits = 8 * CELL * cells, .occupied_bits = 8 * CELL * cells};
}

struct extent framing_extent(enum framing framing, int64_t frame_bytes)
{
    return framing == FRAMING_ATM ? atm(frame_bytes) : ethernet(frame_bytes);
}

/* -- the line ---------------------------------------------------------------------------------- */

/** The line as it is where a frame begins at this rate, which may be another than the last one's.
 */
static struct line from(const struct line *line, int64_t rate_bits_per_s, int64_t ready_ns)
{
    struct line begun = *line;
    if (begun.free_ns < ready_ns)
        begun = (struct line){.free_ns = ready_ns};
    if (begun.rate_bits_per_s != rate_bits_per_s)
        begun.free_part = 0;
    begun.rate_bits_per_s = rate_bits_per_s;
    return begun;
}

/** `bits` later; bits and rates below 2^33 don't overflow. */
static struct line after(struct line line, int64_t bits)
{
    const int64_t parts = line.free_part + bits * NS_PER_S;
    line.free_ns += parts / line.rate_bits_per_s;
    line.free_part = parts % line.rate_bits_per_s;
    return line;
}

struct passage line_preview(const struct line *line, int64_t rate_bits_per_s, int64_t ready_ns,
                            struct extent extent)
{
    struct line copy = *line;
    return line_take(&copy, rate_bits_per_s, ready_ns, extent);
}

struct passage line_take(struct line *line, int64_t rate_bits_per_s, int64_t ready_ns,
                         struct extent extent)
{
    const struct line begun = from(line, rate_bits_per_s, ready_ns);
    *line = after(begun, extent.occupied_bits);
    return (struct passage){.start_ns = begun.free_ns,
                            .last_ns = after(begun, extent.carried_bits).free_ns,
                            .end_ns = line->free_ns};
}

void line_hold(struct line *line, int64_t until_ns)
{
    if (line->free_ns < until_ns)
        *line = (struct line){.free_ns = until_ns, .rate_bits_per_s = line->rate_bits_per_s};
}
