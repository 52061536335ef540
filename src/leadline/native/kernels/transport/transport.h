/**
 * The contract between patterns and message-passing libraries.
 *
 * A pattern is written once against these functions. Each backend defines them as direct calls
 * into its library, and one executable is linked per backend: polymorphism by the linker, with no
 * vtable and no branch in a timed loop.
 *
 * Every optional operation `tp_X` travels with a string `tp_X_algorithm`, in the same object file:
 *   "native"      the backend calls the library's own operation;
 *   "absent"      the operation makes no sense over this backend (see fallback/absent_*.c);
 *   anything else names the algorithm of a fallback written over tp_send and tp_recv.
 * A strong definition in the backend wins; otherwise the linker pulls the member of the fallback
 * archive that defines the pair. A backend that defines one of the two and forgets the other
 * fails to link, so a record can never name the wrong algorithm.
 *
 * Concepts:
 *   rank     0 .. tp_size() - 1, fixed between tp_init and tp_finalize;
 *   message  `bytes` bytes of untyped payload, tag 0 .. 32767; a pair's messages of one tag are
 *            received in the order in which they were sent (of several tags: transport/modes.h);
 *   errors   a transport never returns an error: it prints what failed on stderr and ends at least
 *            this rank with a status other than 0 (what MPI_ERRORS_ARE_FATAL does). The front-end
 *            ends the others and reports the end of stderr with the cell that was being measured.
 */
#ifndef LEADLINE_TRANSPORT_H
#define LEADLINE_TRANSPORT_H

#include "transport/collective.h"
#include "transport/datatypes.h"
#include "transport/job.h"
#include "transport/modes.h"
#include "transport/neighbours.h"
#include "transport/nonblocking.h"
#include "transport/one_sided.h"
#include "transport/packing.h"
#include "transport/requests.h"
#include "transport/threads.h"
#include "transport/two_sided.h"
#include "transport/vectors.h"

#endif
