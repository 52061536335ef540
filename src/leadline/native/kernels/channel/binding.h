/** Which core a rank runs on. We bind, not the launcher: every library then has the same places. */
#ifndef LEADLINE_BINDING_H
#define LEADLINE_BINDING_H

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
