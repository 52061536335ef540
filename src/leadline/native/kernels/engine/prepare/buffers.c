#include "engine/prepare/buffers.h"

#include <stdlib.h>

enum {
    LINE = TP_LINE_BYTES,
    MOST_SLOTS = 1 << 20,
    SCATTER = 40503 /* odd: visits every slot once */
};

struct region {
    char *memory;
    size_t bytes;
    char **slots;
};

static struct region outgoing, incoming;
static struct region application_outgoing, application_incoming;
static const void *zeros; /* as many bytes as there are of words */

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

/** How messages of one size lie in a region. */
struct layout {
    size_t slots, stride, bytes;
};

static size_t least_slots(const struct pattern *pattern)
{
    return pattern->messages_in_flight > 0 ? (size_t)pattern->messages_in_flight : 1;
}

static struct layout layout_of(const struct params *params, size_t size_bytes)
{
    const bool cold = params->buffers == BUFFERS_COLD;
    const size_t stride_bytes = stride_of(size_bytes);
    const size_t least = least_slots(params->pattern) * stride_bytes;
    const size_t bytes = cold && params->cold_bytes > least ? params->cold_bytes : least;
    const size_t slots = cold ? slots_in(bytes, stride_bytes) : least_slots(params->pattern);
    return (struct layout){slots, bytes / slots / LINE * LINE, bytes};
}

static bool point(struct region *region, struct layout layout, struct ring *ring)
{
    char **grown = realloc(region->slots, layout.slots * sizeof *grown);
    if (!grown)
        return false;
    region->slots = grown;
    for (size_t i = 0; i < layout.slots; i++)
        grown[i] = region->memory + i * SCATTER % layout.slots * layout.stride;
    *ring = (struct ring){grown, layout.slots - 1, region->memory};
    return true;
}

/* Points `ring` at memory of `region`, which grows where it must; collective. */
static bool arrange(struct region *region, struct layout layout, struct ring *ring)
{
    return grow(region, layout.bytes) && point(region, layout, ring);
}

static char *touched_block(size_t bytes)
{
    static size_t touched;
    char *block = tp_symmetric_block(bytes);
    if (block && bytes > touched) {
        payload_fill(block, bytes, tp_rank(), 0);
        touched = bytes;
    }
    return block;
}

static size_t words_bytes(const struct cell *cell)
{
    return ((size_t)cell->ranks + SPARE_WORDS) * LINE;
}

/* Words, outgoing and incoming messages lie in the one symmetric block, in this order. */
static bool arrange_symmetric(struct layout out, struct layout in, struct cell *cell)
{
    static struct region symmetric_out, symmetric_in;
    const size_t words = words_bytes(cell);
    const size_t start = (out.bytes + LINE - 1) / LINE * LINE;
    char *block = touched_block(words + start + in.bytes);
    zeros = zeros ? zeros : calloc(1, words);
    if (!block || !zeros)
        return false;
    cell->words = (uint64_t *)(void *)block;
    symmetric_out.memory = block + words;
    symmetric_in.memory = symmetric_out.memory + start;
    return point(&symmetric_out, out, &cell->out) && point(&symmetric_in, in, &cell->in);
}

/* By a put, since words are changed by one-sided operations alone. */
void buffers_clear_words(const struct cell *cell)
{
    tp_put(cell->words, zeros, words_bytes(cell), cell->rank);
}

/* The same on all ranks: symmetric memory needs that. */
static size_t bytes_for(enum room room, const struct pattern *pattern, const struct cell *cell)
{
    static const size_t neighbours = TP_MOST_NEIGHBOURS;
    const size_t block = payload_span(pattern->form, cell->shares.largest);
    if (pattern->application && pattern->application->buffer_bytes)
        return pattern->application->buffer_bytes(cell);
    switch (room) {
    case ROOM_PER_RANK:
        return block * (size_t)cell->ranks;
    case ROOM_PER_NEIGHBOUR:
        return block * neighbours;
    case ROOM_PER_DIRECTION:
        return block * (size_t)directions_of(pattern, cell);
    case ROOM_PER_THREAD:
        return thread_at(block, MOST_THREADS);
    default:
        return block;
    }
}

static void give_back(struct region *region)
{
    tp_release(region->memory);
    region->memory = NULL;
    region->bytes = 0;
}

void buffers_give_back(void)
{
    give_back(&application_outgoing);
    give_back(&application_incoming);
}

bool buffers_arrange(const struct params *params, struct cell *cell)
{
    const struct pattern *pattern = params->pattern;
    struct region *outgoing_here = pattern->application ? &application_outgoing : &outgoing;
    struct region *incoming_here = pattern->application ? &application_incoming : &incoming;
    const struct layout out = layout_of(params, bytes_for(pattern->out_room, pattern, cell));
    const struct layout in = layout_of(params, bytes_for(pattern->in_room, pattern, cell));
    const bool shared = params->buffers == BUFFERS_ECHO && !pattern->keeps_input;
    const bool arranged = pattern->symmetric ? arrange_symmetric(out, in, cell)
                                             : arrange(outgoing_here, out, &cell->out);
    if (!arranged)
        return false;
    if (shared)
        cell->in = cell->out;
    else if (!pattern->symmetric)
        return arrange(incoming_here, in, &cell->in);
    return true;
}
