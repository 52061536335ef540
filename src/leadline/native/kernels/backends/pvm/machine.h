/** The virtual machine: who is in it, and how its messages are encoded and routed. */
#ifndef LEADLINE_PVM_MACHINE_H
#define LEADLINE_PVM_MACHINE_H

#include <stdbool.h>

/** The group that all ranks join, in the order of their ranks. */
#define MACHINE_GROUP "leadline"

/** Set by machine_join. */
struct machine {
    int rank, ranks;
    int *tids;    /* [rank] */
    int encoding; /* PvmDataDefault, PvmDataRaw or PvmDataInPlace */
    bool doubles; /* messages are packed as doubles, where their size allows */
};
extern struct machine machine;

/**
 * Enrols this process in the machine of the daemon at $PVM_TMP, waiting until that is up, and meets
 * the other ranks. Rank and number of ranks are LEADLINE_RANK and LEADLINE_RANKS;
 * LEADLINE_PVM_ENCODING is default, raw or inplace, LEADLINE_PVM_ELEMENTS bytes or doubles,
 * LEADLINE_PVM_ROUTE daemon or direct, and LEADLINE_PVM_START spmd or spawn: then rank 0 spawns the
 * others, with the words of `argv`.
 */
void machine_join(char **argv);

/** Leaves; rank 0 goes last and halts the machine. */
void machine_leave(void);

/** `code` if PVM gave a good one; else ends the rank, naming `call` and what may help. */
int machine_checked(int code, const char *call);

/** Says what went wrong (printf format) and ends the rank. */
_Noreturn void machine_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
