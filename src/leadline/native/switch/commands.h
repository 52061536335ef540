/**
 * What the switch can be asked for, a line each:
 *
 *   state                                       the medium, and what the machine grants
 *   counters                                    a line a port
 *   log [FRAMES]                                the last frames delivered, a line each
 *   impair PORT rate=SHARE delay=NS cut=0|1     any of the three, the others stay as they are
 *   end
 *
 * The answer is a line "ok", or "error" and what is wrong, then lines of words between spaces, then
 * an empty one. Ports count from 1, times are in ns of CLOCK_MONOTONIC.
 */
#ifndef LEADLINE_SWITCH_COMMANDS_H
#define LEADLINE_SWITCH_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "switchboard.h"
#include "words.h"

/** An answer under way: a long log is written piece by piece, lest frames have to wait. */
struct answer {
    struct text text;
    int64_t next, last; /**< frames of the log that are to be told, from `next` to before `last` */
    bool is_whole;
};

/** Obeys `line`, which it takes apart, and begins the answer. */
void commands_obey(struct switchboard *board, char *line, struct answer *answer);

/** Adds the next piece to an answer that isn't whole. */
void commands_go_on(const struct switchboard *board, struct answer *answer);

#endif
