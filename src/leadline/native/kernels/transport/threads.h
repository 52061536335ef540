/** Ranks with several threads that call the transport at the same time. */
#ifndef LEADLINE_TRANSPORT_THREADS_H
#define LEADLINE_TRANSPORT_THREADS_H

#include <stdbool.h>

/**
 * Whether any thread of this rank may call tp_send and tp_recv at any time. Valid after tp_init,
 * which asks the library for it (MPI_THREAD_MULTIPLE) where LEADLINE_THREADS is set and not
 * otherwise: it costs every call something.
 */
bool tp_threads_granted(void);
extern const char tp_threads_algorithm[];

#endif
