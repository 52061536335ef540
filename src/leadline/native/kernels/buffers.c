#include "buffers.h"

#include <stdlib.h>

#include "forms.h"

enum { LINE = 64, MOST_SLOTS = 1 << 20, SCATTER = 40503 /* odd: visits every slot once */ };

struct region {
    char *memory;
    size_t bytes;
    char **slots;
};

static struct region outgoing, incoming;

static bool grow(struct region *region, size_t bytes)
{
    if (bytes <= region->bytes)
        return true;
    tp_release(region->memory);
    *region = (struct region){tp_allocate(bytes), bytes, region->slots};
    if (!region->memory) {
        region->bytes = 0;
        return false;
    }
    payload_fill(region->memory, bytes, tp_rank(), 0); /* also touches every page */
    return true;
}

static size_t stride_of(size_t size_bytes)
{
    return size_bytes < LINE ? LINE : (size_bytes + LINE - 1) / LINE * LINE;
}

/* The largest power of two of slots that fits the region, so that a mask wraps the ring. */
static size_t slots_in(size_t bytes, size_t stride)
{
    size_t slots = 1;
    while (slots * 2 * stride <= bytes && slots < MOST_SLOTS)
        slots *= 2;
    return slots;
}

static bool point(struct region *region, size_t slots, size_t stride, struct ring *ring)
{
    char **grown = realloc(region->slots, slots * sizeof *grown);
    if (!grown)
        return false;
    region->slots = grown;
    for (size_t i = 0; i < slots; i++)
        grown[i] = region->memory + i * SCATTER % slots * stride;
    *ring = (struct ring){grown, slots - 1, region->memory};
    return true;
}

/* Points `ring` at memory of `region` for messages of `size_bytes`; collective. */
static bool arrange(struct region *region, const struct params *params, size_t size_bytes,
                    struct ring *ring)
{
    const bool cold = params->buffers == BUFFERS_COLD;
    const size_t least = stride_of(size_bytes);
    const size_t bytes = cold && params->cold_bytes > least ? params->cold_bytes : least;
    const size_t slots = cold ? slots_in(bytes, least) : 1;
    const size_t stride = bytes / slots / LINE * LINE;
    return grow(region, bytes) && point(region, slots, stride, ring);
}

/* The same on all ranks: symmetric memory needs that. */
static size_t bytes_for(enum room room, const struct pattern *pattern, const struct cell *cell)
{
    static const size_t neighbours = TP_MOST_NEIGHBOURS;
    const size_t block = form_span(pattern->form, cell->shares.largest);
    switch (room) {
    case ROOM_PER_RANK:
        return block * (size_t)cell->ranks;
    case ROOM_PER_NEIGHBOUR:
        return block * neighbours;
    case ROOM_PER_THREAD:
        return thread_at(block, 2);
    default:
        return block;
    }
}

bool buffers_arrange(const struct params *params, struct cell *cell)
{
    const struct pattern *pattern = params->pattern;
    if (!arrange(&outgoing, params, bytes_for(pattern->out_room, pattern, cell), &cell->out))
        return false;
    cell->in = cell->out;
    if (params->buffers == BUFFERS_ECHO && !pattern->keeps_input)
        return true;
    return arrange(&incoming, params, bytes_for(pattern->in_room, pattern, cell), &cell->in);
}
