/** The socket over which the switch is asked: one client at a time, who never makes it wait. */
#ifndef LEADLINE_SWITCH_CONTROL_H
#define LEADLINE_SWITCH_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "commands.h"
#include "switchboard.h"

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
