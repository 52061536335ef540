/**
 * Checks that a backend keeps the contract of modes in transport/two_sided.h, over as many ranks as
 * it is started on.
 *
 *   modes          every fact below; ends with status 0 if all hold
 *   modes crowded  rank 0 sends more buffered messages than its buffer has room for
 */
#include <time.h>

#include "facts.h"

enum { TAG = 7, LARGEST = (1 << 20) + 3, MOST_RANKS = 64 };

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* All others send to rank 0, each its messages in order, small ones and large. */
static void receives_from_any_source_get_every_message_once(void)
{
    enum { EACH = 40 };
    static int received[MOST_RANKS];
    memset(received, 0, sizeof received);
    if (is_absent(tp_matching_algorithm))
        return;
    for (int i = 0; i < EACH && rank > 0; i++) {
        fill(out, size_of(i), rank * EACH + i);
        tp_send(out, size_of(i), 0, TAG);
    }
    for (int i = 0; i < EACH * (size - 1) && rank == 0; i++) {
        const int source = tp_recv_any(in, LARGEST, TAG);
        require(source > 0 && source < size, "source", source, 1);
        const int number = received[source]++;
        require_received(in, size_of(number), source * EACH + number);
    }
    for (int source = 1; source < size && rank == 0; source++)
        require(received[source] == EACH, "messages", received[source], EACH);
}

/* Rank 1 comes late to its receive, while the message is still out or already in its memory (it
   looks behind it for one of rank 2). Ranks of one host share the clock that tells. */
static void synchronous_send_returns_after_its_receive_has_begun(void)
{
    int64_t began = 0;
    if (size < 3 || rank > 2 || is_absent(tp_ssend_algorithm))
        return;
    for (int i = 0; i < 2 * SIZE_COUNT; i++) {
        const bool in_memory = i % 2;
        if (rank == 0) {
            fill(out, size_of(i), i);
            tp_ssend(out, size_of(i), 1, TAG);
            const int64_t returned = now_ns();
            tp_recv(&began, sizeof began, 1, TAG + 1);
            require(returned >= began, "returned", returned, began);
        } else if (rank == 2 && in_memory) {
            usleep(1000);
            tell(1);
        } else if (rank == 1) {
            if (in_memory)
                tp_recv_any(in, 0, GO);
            usleep(1000);
            began = now_ns();
            tp_recv(in, size_of(i), 0, TAG);
            require_received(in, size_of(i), i);
            tp_send(&began, sizeof began, 0, TAG + 1);
        }
    }
}

static void buffered_sends_return_whatever_the_receiver_does(void)
{
    static const size_t sizes[] = {8, 4097, 100000, LARGEST};
    for (int k = 0; k < 4 && size > 1 && rank < 2 && !is_absent(tp_bsend_algorithm); k++) {
        const size_t bytes = sizes[k];
        if (rank == 0) {
            tp_buffer_attach(bytes);
            for (int i = 0; i < TP_BUFFERED_MESSAGES; i++) {
                fill(out, bytes, i);
                tp_bsend(out, bytes, 1, i);
            }
            fill(out, bytes, 99);
            tell(1);
            tp_buffer_detach();
            hear(1);
        } else {
            hear(0);
            for (int i = TP_BUFFERED_MESSAGES - 1; i >= 0; i--) {
                tp_recv(in, bytes, 0, i);
                require_received(in, bytes, i);
            }
            tell(0);
        }
    }
}

static void persistent_operations_move_what_their_buffers_hold_at_each_start(void)
{
    enum { TURNS = 20, SENDS = 0, RECEIVES = 1 };
    const int peer = rank ^ 1;
    for (int i = 0; i < SIZE_COUNT && peer < size && !is_absent(tp_persistent_algorithm); i++) {
        tp_send_init(out, SIZES[i], peer, TAG, SENDS);
        tp_recv_init(in, SIZES[i], peer, TAG, RECEIVES);
        for (int turn = 0; turn < TURNS; turn++) {
            fill(out, SIZES[i], turn + rank);
            tp_start(turn % 2);
            tp_start(1 - turn % 2);
            tp_waitall(0, 2);
            require_received(in, SIZES[i], turn + peer);
        }
        tp_persistent_free(SENDS);
        tp_persistent_free(RECEIVES);
    }
}

static const struct fact FACTS[] = {
    FACT(receives_from_any_source_get_every_message_once),
    FACT(synchronous_send_returns_after_its_receive_has_begun),
    FACT(buffered_sends_return_whatever_the_receiver_does),
    FACT(persistent_operations_move_what_their_buffers_hold_at_each_start),
};

/* Rank 1 leaves them where they are. */
static void crowd(void)
{
    tp_buffer_attach(LARGEST);
    for (int i = 0; i <= TP_BUFFERED_MESSAGES && rank == 0; i++)
        tp_bsend(out, LARGEST, 1, TAG);
    pause();
}

int main(int argc, char **argv)
{
    facts_begin(&argc, &argv, LARGEST);
    if (argc > 1 && strcmp(argv[1], "crowded") == 0)
        crowd();
    else
        facts_check(FACTS, sizeof FACTS / sizeof *FACTS);
    facts_end();
    return EXIT_SUCCESS;
}
