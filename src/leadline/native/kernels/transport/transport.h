/**
 * The contract between patterns and message-passing libraries.
 *
 * A pattern is written once against these functions. Each backend defines them as direct calls
 * into its library, and one executable is linked per backend: polymorphism by the linker, with no
 * vtable and no branch in a timed loop.
 *
 * Every optional operation `tp_X` travels with a string `tp_X_algorithm`, in the same object file:
 *   "native"      the backend calls the library's own operation;
 *   "absent"      the operation makes no sense over this backend (see fallback/absent.c);
 *   anything else names the algorithm of a fallback written over tp_send and tp_recv.
 * A strong definition in the backend wins; otherwise the linker pulls the member of the fallback
 * archive that defines the pair. A backend that defines one of the two and forgets the other
 * fails to link, so a record can never name the wrong algorithm.
 *
 * Concepts:
 *   rank     0 .. tp_size() - 1, fixed between tp_init and tp_finalize;
 *   message  `bytes` bytes of untyped payload, tag 0 .. 32767; a pair's messages of one tag are
 *            received in the order in which they were sent (of several tags:
 * transport/two_sided.h); order    what each call orders, for whom, is said under "Memory order"
 * below; errors   a transport never returns an error: it prints what failed on stderr and ends at
 * least this rank with a status other than 0 (what MPI_ERRORS_ARE_FATAL does). The front-end ends
 * the others and reports the end of stderr with the cell that was being measured.
 *
 * Memory order. Processors reorder plain loads and stores as they like (ARM and POWER do), so a
 * caller may rely on this and no more; a backend gives at least this, by what its library promises
 * and, where that stops short of the caller's own loads and stores, by a fence of C11:
 *
 *   send      all loads of the message are done when it is complete (tp_send returned, tp_wait,
 *             tp_waitall or tp_test found it so): stores that follow can't get into it;
 *   receive   the message's bytes are there for loads of the thread that found it complete. Loads
 *             and stores before the receive was called are done before a byte is written. A message
 *             orders no other memory: see below for symmetric memory;
 *   room      of a backend's own is written again after its receiver has read it;
 *   barrier,  what a rank leaves, it leaves after every rank has come to it; their results are
 *   collective  messages. They too order no symmetric memory by themselves;
 *   one-sided  transport/one_sided.h;
 *   threads   of one rank see what each of them received as threads see each other's stores: by
 *             what they synchronise with among themselves. The transport adds nothing.
 */
#ifndef LEADLINE_TRANSPORT_H
#define LEADLINE_TRANSPORT_H

#include "transport/collective.h"
#include "transport/job.h"
#include "transport/one_sided.h"
#include "transport/simulation.h"
#include "transport/tracing.h"
#include "transport/two_sided.h"

#endif
