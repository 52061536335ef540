/**
 * Checks a backend's packing, between ranks 0 and 1: what was packed travels as often as it is
 * sent, what was received is unpacked as often as one likes, and other messages change neither.
 * What doesn't hold is named on stderr and ends the rank with status 1.
 */
#include "facts.h"

enum { TAG = 7, MOST_BYTES = 1 << 18 };

/* A message of the kind that every send packs and every receive unpacks. */
static void disturb(size_t bytes)
{
    static unsigned char other[MOST_BYTES];
    const int peer = 1 - rank;
    fill(other, bytes, 9);
    tp_sendrecv(other, bytes, peer, in, bytes, peer, TAG);
    require_received(in, bytes, 9);
}

static void packed_message_is_sent_twice_and_unpacked_twice(size_t bytes, int seed)
{
    fill(out, bytes, seed);
    if (rank == 0)
        tp_pack(out, bytes);
    disturb(bytes);
    for (int times = 0; times < 2; times++) {
        if (rank == 0)
            tp_send_packed(1, TAG);
        else
            tp_recv_packed(bytes, 0, TAG);
        for (int i = 0; i < 2; i++) {
            disturb(bytes);
            if (rank == 0)
                continue;
            tp_unpack(in, bytes);
            require_received(in, bytes, seed);
        }
    }
}

static void what_is_packed_comes_out(void)
{
    for (int i = 0; i < SIZE_COUNT && rank < 2 && size > 1; i++)
        packed_message_is_sent_twice_and_unpacked_twice(SIZES[i], i);
}

int main(int argc, char **argv)
{
    static const struct fact facts[] = {FACT(what_is_packed_comes_out)};
    facts_begin(&argc, &argv, MOST_BYTES);
    facts_check(facts, sizeof facts / sizeof *facts);
    facts_end();
    return EXIT_SUCCESS;
}
