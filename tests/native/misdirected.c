/**
 * Messages of neighbours that go wrong, for tests of validation: linked in with
 * "-Wl,--wrap=tp_isend" and "-Wl,--wrap=tp_irecv". LEADLINE_FAULT="kind:calls" strikes from that
 * number of calls of one of them on, of messages with tags of patterns; kind is
 *   swapped  receives in turn, two by two, go where the other was to go;
 *   mirror   messages go to, and come from, the neighbour on the other side of a ring of all ranks;
 *   stale    what is sent isn't what lies in the buffer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/transport.h"

enum { MOST_BYTES = 1 << 20, MOST_TAG = 100 };

void __real_tp_isend(const void *from, size_t bytes, int peer, int tag, int slot);
void __wrap_tp_isend(const void *from, size_t bytes, int peer, int tag, int slot);
void __real_tp_irecv(void *to, size_t bytes, int peer, int tag, int slot);
void __wrap_tp_irecv(void *to, size_t bytes, int peer, int tag, int slot);

static struct {
    void *to;
    size_t bytes;
    int peer, tag, slot;
} held;

static bool strikes(const char *kind, long *calls, int tag)
{
    char chosen[32] = "";
    long first = 0;
    const char *fault = getenv("LEADLINE_FAULT");
    return tag < MOST_TAG && fault && sscanf(fault, "%31[^:]:%ld", chosen, &first) == 2 &&
           strcmp(chosen, kind) == 0 && (*calls)++ >= first;
}

static int mirrored(int peer)
{
    return (2 * tp_rank() - peer + 2 * tp_size()) % tp_size();
}

void __wrap_tp_isend(const void *from, size_t bytes, int peer, int tag, int slot)
{
    static char stale[MOST_BYTES];
    static long mirrors, stales;
    const bool mirror = strikes("mirror", &mirrors, tag), old = strikes("stale", &stales, tag);
    __real_tp_isend(old ? stale : from, bytes, mirror ? mirrored(peer) : peer, tag, slot);
}

void __wrap_tp_irecv(void *to, size_t bytes, int peer, int tag, int slot)
{
    static long mirrors, swaps;
    if (strikes("mirror", &mirrors, tag))
        peer = mirrored(peer);
    if (!strikes("swapped", &swaps, tag)) {
        __real_tp_irecv(to, bytes, peer, tag, slot);
    } else if (!held.to) {
        held.to = to, held.bytes = bytes, held.peer = peer, held.tag = tag, held.slot = slot;
    } else {
        __real_tp_irecv(to, held.bytes, held.peer, held.tag, held.slot);
        __real_tp_irecv(held.to, bytes, peer, tag, slot);
        held.to = NULL;
    }
}
