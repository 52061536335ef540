/**
 * Checks what transport.h says under "Memory order", over as many ranks as it is started on: each
 * fact rests on one ordering and on nothing else that would do in its place. Where the thread
 * sanitizer watches (rank_threads.c), an ordering that is missing is a race; without it, wrong
 * bytes, on processors that reorder.
 */
#include "facts.h"

enum {
    TAG = 7,
    MOST_BYTES = 70000,
    BLOCK_BYTES = 4000,
    MESSAGES = 30, /* more than any backend has room for */
    WINDOW = 4,
    TURNS = 10,
};

static const size_t LENGTHS[] = {8, 200, 4096, 20000, MOST_BYTES};
enum { LENGTH_COUNT = sizeof LENGTHS / sizeof *LENGTHS };

static unsigned char *own; /* this rank's block of symmetric memory */
static uint64_t *words;    /* behind it */
static int left, right;

static unsigned char *sent_from(int i)
{
    return out + (size_t)(i % WINDOW) * MOST_BYTES;
}

static unsigned char *received_at(int i)
{
    return in + (size_t)(i % WINDOW) * MOST_BYTES;
}

/* One way and without an answer, so that the sender knows of the receiver what the transport itself
   tells it. */
static void stream(int from, size_t bytes)
{
    for (int i = 0; i < MESSAGES; i++) {
        if (rank == from) {
            fill(out, bytes, i);
            tp_send(out, bytes, 1 - from, TAG);
        } else {
            tp_recv(in, bytes, from, TAG);
            require_received(in, bytes, i);
        }
    }
}

static void buffer_of_a_message_that_was_sent_may_be_written(void)
{
    for (int i = 0; i < LENGTH_COUNT && size > 1 && rank < 2; i++) {
        stream(0, LENGTHS[i]);
        stream(1, LENGTHS[i]);
    }
}

static void windows(int from, size_t bytes)
{
    for (int i = 0; i < MESSAGES; i += WINDOW) {
        for (int j = 0; j < WINDOW && rank == from; j++) {
            fill(sent_from(j), bytes, i + j);
            tp_isend(sent_from(j), bytes, 1 - from, TAG, j);
        }
        for (int j = 0; j < WINDOW && rank != from; j++)
            tp_irecv(received_at(j), bytes, from, TAG, j);
        tp_waitall(0, WINDOW);
        for (int j = 0; j < WINDOW && rank != from; j++)
            require_received(received_at(j), bytes, i + j);
    }
}

static void buffers_of_complete_operations_may_be_written(void)
{
    const bool can = !is_absent(tp_isend_algorithm) && size > 1 && rank < 2;
    for (int i = 0; i < LENGTH_COUNT && can; i++) {
        windows(0, LENGTHS[i]);
        windows(1, LENGTHS[i]);
    }
}

static void exchanges_leave_their_buffers_to_the_caller(void)
{
    for (int i = 0; i < LENGTH_COUNT * TURNS; i++) {
        const size_t bytes = LENGTHS[i % LENGTH_COUNT];
        fill(out, bytes, i + rank);
        tp_sendrecv(out, bytes, right, in, bytes, left, TAG);
        require_received(in, bytes, i + left);
    }
}

/* Each stores in its own block, gets the neighbour's, and stores anew. */
static void store_and_get_around(void (*barrier)(void), const char *algorithm)
{
    for (int turn = 0; turn < TURNS && !is_absent(algorithm); turn++) {
        fill(own, BLOCK_BYTES, turn + rank);
        tp_symmetric_sync();
        barrier();
        tp_symmetric_sync();
        tp_get(in, own, BLOCK_BYTES, right);
        require_received(in, BLOCK_BYTES, turn + right);
        barrier();
    }
}

static void stores_before_a_barrier_are_there_after_it(void)
{
    store_and_get_around(tp_barrier, tp_barrier_algorithm);
    store_and_get_around(tp_barrier_counter, tp_barrier_counter_algorithm);
    store_and_get_around(tp_barrier_futex, tp_barrier_futex_algorithm);
    store_and_get_around(tp_barrier_dissemination, tp_barrier_dissemination_algorithm);
}

/* The answer is a flag alone: it says that the bytes were loaded and may be put anew. */
static void flag_comes_after_its_bytes_and_after_the_loads_before_it(void)
{
    uint64_t *landed = &words[0], *loaded = &words[WINDOW * TP_LINE_BYTES / 8];
    for (uint64_t turn = 1; turn <= TURNS; turn++) {
        fill(out, BLOCK_BYTES, (int)turn + rank);
        tp_put_flag(own, out, BLOCK_BYTES, landed, turn, right);
        tp_wait_until(landed, turn);
        memcpy(in, own, BLOCK_BYTES);
        require_received(in, BLOCK_BYTES, (int)turn + left);
        tp_put_flag(own, out, 0, loaded, turn, left);
        tp_wait_until(loaded, turn);
        tp_quiet();
    }
}

/* Even ranks put into the next one, which loads the bytes by itself after a message. */
static void puts_that_are_done_are_there_after_a_message(void)
{
    const int peer = rank ^ 1;
    for (int turn = 0; turn < TURNS && peer < size; turn++) {
        if (rank % 2 == 0) {
            fill(out, BLOCK_BYTES, turn);
            tp_put_start(own, out, BLOCK_BYTES, peer);
            tp_quiet();
            tell(peer);
            hear(peer);
        } else {
            hear(peer);
            tp_symmetric_sync();
            memcpy(in, own, BLOCK_BYTES);
            require_received(in, BLOCK_BYTES, turn);
            tell(peer);
        }
    }
}

static void memory_may_be_written_when_its_get_is_over(void)
{
    const int peer = rank ^ 1;
    for (int turn = 0; turn < TURNS && peer < size; turn++) {
        if (rank % 2 == 0) {
            hear(peer);
            tp_symmetric_sync();
            tp_get(in, own, BLOCK_BYTES, peer);
            tell(peer);
            require_received(in, BLOCK_BYTES, turn);
        } else {
            fill(own, BLOCK_BYTES, turn);
            tp_symmetric_sync();
            tell(peer);
            hear(peer);
        }
    }
}

static const struct fact MESSAGE_FACTS[] = {
    FACT(buffer_of_a_message_that_was_sent_may_be_written),
    FACT(buffers_of_complete_operations_may_be_written),
    FACT(exchanges_leave_their_buffers_to_the_caller),
};

static const struct fact ONE_SIDED_FACTS[] = {
    FACT(stores_before_a_barrier_are_there_after_it),
    FACT(flag_comes_after_its_bytes_and_after_the_loads_before_it),
    FACT(puts_that_are_done_are_there_after_a_message),
    FACT(memory_may_be_written_when_its_get_is_over),
};

/* Words begin as 0, and nobody uses them before all have cleared theirs. */
static void open_block(void)
{
    const size_t words_bytes = (size_t)(2 * WINDOW) * TP_LINE_BYTES;
    own = tp_symmetric_block(BLOCK_BYTES + TP_LINE_BYTES + words_bytes);
    require(own != NULL, "block", 0, 1);
    words = (uint64_t *)(void *)(own +
                                 (BLOCK_BYTES + TP_LINE_BYTES - 1) / TP_LINE_BYTES * TP_LINE_BYTES);
    memset(in, 0, words_bytes);
    tp_put(words, in, words_bytes, rank);
    tp_symmetric_sync();
    tp_barrier();
    tp_symmetric_sync();
}

int main(int argc, char **argv)
{
    facts_begin(&argc, &argv, (size_t)WINDOW * MOST_BYTES);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    facts_check(MESSAGE_FACTS, sizeof MESSAGE_FACTS / sizeof *MESSAGE_FACTS);
    if (!is_absent(tp_put_algorithm)) {
        open_block();
        facts_check(ONE_SIDED_FACTS, sizeof ONE_SIDED_FACTS / sizeof *ONE_SIDED_FACTS);
    }
    facts_end();
    return EXIT_SUCCESS;
}
