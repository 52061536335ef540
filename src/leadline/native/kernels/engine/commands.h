/**
 * Where this rank's commands come from: over its own connection, or, where ranks are simulated,
 * over that of rank 0, which speaks with the front-end for all, as a relay does for its host.
 */
#ifndef LEADLINE_COMMANDS_H
#define LEADLINE_COMMANDS_H

/** Connects rank 0 to the front-end at `address`, and the others through it; collective, after
    tp_init. Exits with a message if it can't. */
void commands_share(const char *address);

/** The next command line, without its newline; NULL at the end. Collective after commands_share.
 */
const char *commands_next(void);

#endif
