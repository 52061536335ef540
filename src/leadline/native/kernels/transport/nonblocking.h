/**
 * Collectives that return before they are done: every rank of the job starts them in the same
 * order, each in a slot of its own choice (transport/requests.h), and waits for them there. What
 * they leave is what the operation without the i leaves.
 *
 * A backend brings all of them or none.
 */
#ifndef LEADLINE_TRANSPORT_NONBLOCKING_H
#define LEADLINE_TRANSPORT_NONBLOCKING_H

#include <stddef.h>

#include "transport/collective.h"

/** Complete when every rank has started it. */
void tp_ibarrier(int slot);
extern const char tp_ibarrier_algorithm[];

/** tp_bcast. */
void tp_ibcast(void *buffer, size_t bytes, int root, int slot);
extern const char tp_ibcast_algorithm[];

/** tp_allreduce. */
void tp_iallreduce(const void *from, void *to, size_t count, enum tp_type type, enum tp_op op,
                   int slot);
extern const char tp_iallreduce_algorithm[];

/** tp_allgather. */
void tp_iallgather(const void *from, void *to, size_t bytes, int slot);
extern const char tp_iallgather_algorithm[];

/** tp_alltoall. */
void tp_ialltoall(const void *from, void *to, size_t bytes, int slot);
extern const char tp_ialltoall_algorithm[];

#endif
