/** All that a running switch has. */
#ifndef LEADLINE_SWITCH_SWITCHBOARD_H
#define LEADLINE_SWITCH_SWITCHBOARD_H

#include <stdbool.h>

#include "history.h"
#include "medium.h"
#include "options.h"
#include "pace.h"
#include "stations.h"
#include "urgency.h"

struct switchboard {
    struct options options;
    struct medium *medium;
    struct stations stations;
    struct history history;
    struct urgency refused;
    struct cores cores;
    struct pace pace;
    struct vigil vigil;
    int taps[MOST_PORTS]; /**< descriptors, -1: the host is gone */
    bool has_ended;
};

/** Makes what `options` ask for. Returns false after a complaint on standard error. */
bool switchboard_make(const struct options *options, struct switchboard *board);

void switchboard_free(struct switchboard *board);

/** Gives the medium the next frame that the host at `port` sent. Returns whether there was one. */
bool switchboard_receive(struct switchboard *board, int32_t port);

/** Gives the hosts what is due by now. Returns how many frames that were. */
int switchboard_deliver(struct switchboard *board);

#endif
