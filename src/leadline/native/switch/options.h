/** What the switch is asked to be. */
#ifndef LEADLINE_SWITCH_OPTIONS_H
#define LEADLINE_SWITCH_OPTIONS_H

#include <stdbool.h>

#include "medium.h"

struct options {
    struct medium_form form;
    int32_t mtu;
    int64_t log_frames;
    const char *name; /**< of the devices, which have a number behind it, from 1 */
    const char *control;
};

/** Reads the command line. Returns false after a complaint on standard error. */
bool options_read(int argc, char **argv, struct options *options);

#endif
