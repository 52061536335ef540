/** Two-sided messages over puts: what tp_send and tp_recv need before the first message. */
#ifndef LEADLINE_SHMEM_MAILBOX_H
#define LEADLINE_SHMEM_MAILBOX_H

/** Allocates every PE's boxes; collective. */
void mailbox_open(void);

#endif
