/**
 * The corner turn: each rank has some gates of all bins, and gets all gates of some bins. A total
 * exchange of blocks that are all as long where the ranks divide pulses and gates.
 *
 * What is sent lies as [bin][own gate] rows, so that the blocks follow each other; what is received
 * as [rank][own bin][its gate] rows, and stays there: `turn_row` finds a gate's.
 */
#ifndef LEADLINE_STAP_TURN_H
#define LEADLINE_STAP_TURN_H

#include <stdbool.h>

#include "applications/stap/cube.h"

/** Where a gate's rows begin, and how far apart those of successive bins are. */
struct gate_rows {
    size_t first, stride;
};

struct turn {
    struct part part;
    size_t blocks;          /* lanes of a row */
    bool even;              /* all pairs' blocks are as long */
    size_t pair_bytes;      /* then how long */
    size_t *sent, *sent_at; /* [rank] bytes, and where they begin */
    size_t *received, *received_at;
    struct gate_rows *gates; /* [gate] */
};

/** True if made; to be released either way. */
bool turn_make(struct turn *turn, const struct part *part);
void turn_release(struct turn *turn);

/** The most lanes that any rank sends, or receives. */
size_t turn_most(const struct cube *cube, int ranks);

/** The row of own bin `bin` at `gate`. */
static inline const struct lanes *turn_row(const struct turn *turn, const struct lanes *received,
                                           int bin, int gate)
{
    const struct gate_rows *rows = &turn->gates[gate];
    return received + (rows->first + (size_t)bin * rows->stride) * turn->blocks;
}

/** Writes a code in each sample to be sent, which says where it comes from: re = (bin * gates +
    gate) * channels + channel, im = -1 - re. */
void turn_encode(const struct turn *turn, struct lanes *sent);

/** How many codes of those to be received are wrong. */
size_t turn_wrong(const struct turn *turn, const struct lanes *received);

/**
 * Sums, modulo 2^64, of all bits that this rank sends, and of those that it received, each at its
 * place in the whole cube: over all ranks they are equal where the turn changed nothing.
 */
uint64_t turn_sum_sent(const struct turn *turn, const struct lanes *sent);
uint64_t turn_sum_received(const struct turn *turn, const struct lanes *received);

#endif
