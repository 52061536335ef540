/**
 * The socket over which the switch is asked: one client at a time, who never makes it wait.
 *
 * What it can be asked for, a line each:
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
#ifndef LEADLINE_SWITCH_CONTROL_H
#define LEADLINE_SWITCH_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "switchboard.h"
#include "words.h"

/** An answer under way: a long log is written piece by piece, lest frames have to wait. */
struct answer {
    struct text text;
    int64_t next, last; /**< frames of the log that are to be told, from `next` to before `last` */
    bool is_whole;
};

struct control {
    const char *path;
    int listener, client; /**< descriptors; client -1: nobody asks */
    char line[256];
    size_t length; /**< of what has been read of a line */
    struct answer answer;
    size_t sent; /**< of the answer's text */
    bool answers;
};

/** Listens at `path`, for this user alone. Returns false after a complaint on standard error. */
bool control_open(const char *path, struct control *control);

/** Ends with the client and removes the socket. */
void control_close(struct control *control);

/** Lets in who knocks; there is nobody yet. */
void control_accept(struct control *control);

/** Reads, obeys and answers, as far as it can be done at once. */
void control_serve(struct control *control, struct switchboard *board);

#endif
