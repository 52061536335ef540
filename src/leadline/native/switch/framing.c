#include "framing.h"

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
