/**
 * The ping-pong that one would write by hand over PVM: initsend, pack, send; receive, unpack.
 *
 * Linked into a kernel as its extra pattern, it shares process, buffers, routes and clock with the
 * tool's own ping-pong; both pack by PvmDataDefault.
 */
#include <pvm3.h>

#include "patterns/pattern.h"

enum { TAG = 1 };

static void pingpong_by_hand(const struct cell *cell, long first, long last)
{
    static int peer;
    const int bytes = (int)cell->size_bytes;
    char *out = ring_at(&cell->out, 0), *in = ring_at(&cell->in, 0);
    if (!peer)
        peer = pvm_gettid("leadline", 1 - cell->rank);
    for (long i = first; i < last; i++) {
        if (cell->rank == 0) {
            pvm_initsend(PvmDataDefault);
            pvm_pkbyte(out, bytes, 1);
            pvm_send(peer, TAG);
        }
        pvm_recv(peer, TAG);
        pvm_upkbyte(in, bytes, 1);
        if (cell->rank != 0) {
            pvm_initsend(PvmDataDefault);
            pvm_pkbyte(out, bytes, 1);
            pvm_send(peer, TAG);
        }
    }
}

const struct pattern pattern_extra = {
    .name = "pingpong_by_hand",
    .summary = "half round trip between ranks 0 and 1, written by hand",
    .algorithm = "native",
    .participants = 2,
    .messages_per_repetition = 2,
    .granularity = 1,
    .whose_time = WHOSE_ROOT,
    .cadence = CADENCE_STREAMING,
    .run = pingpong_by_hand,
};
