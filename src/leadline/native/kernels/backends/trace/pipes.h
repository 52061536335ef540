/**
 * A named pipe for each rank, which it alone reads and all others write: "$LEADLINE_INBOX.<rank>".
 *
 * Whoever comes first makes it. All open it to read and to write, so that no order of opening
 * matters and no rank that is late, or gone, is an error here.
 */
#ifndef LEADLINE_TRACE_PIPES_H
#define LEADLINE_TRACE_PIPES_H

/** Opens this rank's own pipe, and lets the process have as many files open as it may. */
void pipes_open(void);

/** The descriptor of `rank`'s pipe, which doesn't block; opened when it is first asked for. */
int pipe_of(int rank);

/** Closes all pipes and removes this rank's own. */
void pipes_close(void);

#endif
