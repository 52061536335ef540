/** What has come to this rank. */
#ifndef LEADLINE_TRACE_INBOX_H
#define LEADLINE_TRACE_INBOX_H

#include <stdbool.h>

#include "backends/trace/piece.h"

/** Reads what has come, a pipeful at most; false: nothing had. After all pieces were taken. */
bool inbox_read(void);

/** Takes the next piece that was read; false: there is none. Its payload lasts until inbox_read. */
bool inbox_next(struct piece *piece, const char **payload);

#endif
