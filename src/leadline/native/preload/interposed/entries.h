/** Beginning and end of a wrapped call. */
#ifndef LEADLINE_PRELOAD_ENTRIES_H
#define LEADLINE_PRELOAD_ENTRIES_H

#include "core.h"

/** Marks what the program is to call instead of its library's. */
#define INTERPOSED __attribute__((visibility("default")))

/**
 * Begins a wrapped call with this `reorder`: what maps, or NULL where the call is only to be passed
 * on: `reorder` is 0, or the call comes from within another wrapped one. Each is ended by
 * entry_end, in this thread.
 */
const struct core *entry_begin(intptr_t comm, int reorder);

/** Ends it. */
void entry_end(void);

/** Whether this thread has begun a wrapped call, and not ended it. */
bool entry_is_within(void);

#endif
