/** A rank that waits: it serves the others meanwhile, and sleeps while there is nothing to do. */
#ifndef LEADLINE_TRACE_PROGRESS_H
#define LEADLINE_TRACE_PROGRESS_H

#include <stdbool.h>

/** Moves on all that can be without waiting. */
void progress(void);

/** The same; where nothing had come, sleeps until something does or a full pipe has room. */
void progress_or_sleep(void);

/** Returns when all that is to leave this rank, answers too, is out. */
void progress_until_sent(void);

/** Returns when *done is set, and all is out. */
void progress_until(const bool *done);

#endif
