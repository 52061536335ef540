/** Where this process runs: the host, the machine under it, the clock that it reads, the core. */
#ifndef LEADLINE_MACHINE_H
#define LEADLINE_MACHINE_H

/* -- host and clock ---------------------------------------------------------------------------- */

enum { HOST_LENGTH = 256, MACHINE_LENGTH = HOST_LENGTH, CLOCK_LENGTH = MACHINE_LENGTH + 32 };

struct machine {
    char host[HOST_LENGTH];   /* what the host calls itself */
    char id[MACHINE_LENGTH];  /* of its boot, also in containers; else the host's name */
    char clock[CLOCK_LENGTH]; /* "<id>:<time namespace>", 0 where there are no such namespaces */
};

/** The same at every call: it is read by the first, before the library starts. */
const struct machine *machine_here(void);

/* -- cores ------------------------------------------------------------------------------------- */

/* Which core a rank runs on. We bind, not the launcher: every library then has the same places. */

/**
 * Binds this process to entry r of LEADLINE_BIND ("0,1,..."; behind its end the list begins again,
 * since no variable holds an entry for each of 10^5 ranks), r being its rank as the launcher says
 * it in the variable named by LEADLINE_RANK_VARIABLE; before tp_init, so that the library's own
 * memory is local. Does nothing where either is missing; hello reports what came of it.
 */
void binding_apply(void);

/** Binds the calling thread, the second of rank `rank`, to the entry as far behind all `ranks`. */
void binding_apply_second(int rank, int ranks);

/** The cores this process may run on, all of them, as "0-63,128"; the caller frees the text. */
char *binding_cores(void);

#endif
