/**
 * Where this rank is, in a page that the front-end's watchdog can read at any time, also when the
 * process is stopped or spins inside the library. Updated between batches, never inside one.
 */
#ifndef LEADLINE_PROGRESS_H
#define LEADLINE_PROGRESS_H

#include <stdint.h>

enum phase {
    PHASE_IDLE,
    PHASE_CLOCKS,
    PHASE_BUFFERS,
    PHASE_VALIDATION,
    PHASE_CALIBRATION,
    PHASE_WARM_UP,
    PHASE_TRACING,
    PHASE_TIMING,
    PHASES,
};

/** What a rank does in each phase, for sentences. */
extern const char *const phase_names[PHASES];

/** The page: three 64-bit integers in host byte order. */
struct progress {
    int64_t slice; /* id of the slice being measured */
    int64_t phase; /* enum phase */
    int64_t batch; /* batches finished in this phase */
};

/** Maps the file "$LEADLINE_PROGRESS.<rank>"; where it can't be made, memory that this process has
    open as "leadline-progress". Without the variable the page stays private. */
void progress_open(int rank);

/** Says that this rank enters `phase` of slice number `slice`. */
void progress_enter(int64_t slice, enum phase phase);

/** Says that another batch of the phase is done. */
void progress_advance(void);

#endif
