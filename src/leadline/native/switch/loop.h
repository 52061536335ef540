/** Frames in, frames out, in time: sleeps until shortly before a delivery, then polls. */
#ifndef LEADLINE_SWITCH_LOOP_H
#define LEADLINE_SWITCH_LOOP_H

#include <stdbool.h>

#include "control.h"
#include "switchboard.h"

/**
 * Runs until a client says so, or SIGTERM or SIGINT comes. Returns false after a complaint on
 * standard error.
 */
bool loop_run(struct switchboard *board, struct control *control);

#endif
