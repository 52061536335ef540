/**
 * Checks that a backend keeps the contract of operations under way in transport/two_sided.h and the
 * order in which receives may be called, over as many ranks as it is started on.
 *
 *   requests           every fact below; ends with status 0 if all hold
 *   requests overlong  rank 1 has a message in memory that is longer than its receive
 *   requests deserted  rank 1 ends while rank 0 waits for it
 */
#include "facts.h"

enum {
    TAG = 7,
    MANY = 256,
    LARGEST = (1 << 20) + 3,
    LARGE_IN_FLIGHT = 16,
    STATUS_OF_DESERTER = 9,
};

/* Where message i lies among many: close together, since untouched pages cost more than bytes. */
static size_t place_of(int i)
{
    enum { APART = 64 };
    size_t all = 0, before = 0;
    for (int k = 0; k < SIZE_COUNT; k++) {
        const size_t room = (SIZES[k] / APART + 1) * APART;
        all += room;
        before += k < i % SIZE_COUNT ? room : 0;
    }
    return (size_t)(i / SIZE_COUNT) * all + before;
}

static void wait_first_to_last(int count)
{
    tp_waitall(0, count);
}

static void wait_last_to_first(int count)
{
    for (int slot = count - 1; slot >= 0; slot--)
        tp_wait(slot);
}

static void test_until_complete(int count)
{
    for (int slot = 0; slot < count; slot++)
        while (!tp_test(slot))
            ;
}

/* Between neighbours in pairs, in both directions at once; receives in the order of sends, or in
   the reverse, called before the sends or after. */
static void exchange_many(void (*finish)(int), bool reversed, bool receives_first)
{
    const int peer = rank ^ 1;
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < MANY; k++) {
            const int i = reversed && (turn == 0) == receives_first ? MANY - 1 - k : k;
            if ((turn == 0) == receives_first) {
                tp_irecv(in + place_of(i), size_of(i), peer, i, MANY + i);
            } else {
                fill(out + place_of(i), size_of(i), i + rank);
                tp_isend(out + place_of(i), size_of(i), peer, i, i);
            }
        }
    finish(2 * MANY);
    for (int i = 0; i < MANY; i++)
        require_received(in + place_of(i), size_of(i), i + peer);
}

static void many_messages_both_ways_find_their_receives(void)
{
    static void (*const finishes[])(int) = {wait_first_to_last, wait_last_to_first,
                                            test_until_complete};
    for (int i = 0; i < 12 && (rank ^ 1) < size; i++)
        exchange_many(finishes[i % 3], i & 1, i & 2);
}

static void messages_of_one_tag_stay_in_order(void)
{
    const int peer = rank ^ 1;
    for (int i = 0; i < MANY && peer < size; i++) {
        fill(out + place_of(i), size_of(i), i);
        tp_isend(out + place_of(i), size_of(i), peer, TAG, i);
    }
    for (int i = 0; i < MANY && peer < size; i++)
        tp_irecv(in + place_of(i), size_of(i), peer, TAG, MANY + i);
    for (int i = 0; i < 2 * MANY && peer < size; i++)
        tp_wait(i);
    for (int i = 0; i < MANY && peer < size; i++)
        require_received(in + place_of(i), size_of(i), i);
}

static void large_messages_in_flight_arrive(void)
{
    const int peer = rank ^ 1;
    for (int i = 0; i < LARGE_IN_FLIGHT && peer < size; i++) {
        unsigned char *from = out + (size_t)i * LARGEST;
        fill(from, LARGEST, i + rank);
        tp_isend(from, LARGEST, peer, i, i);
        tp_irecv(in + (size_t)i * LARGEST, LARGEST, peer, i, LARGE_IN_FLIGHT + i);
    }
    tp_waitall(0, peer < size ? 2 * LARGE_IN_FLIGHT : 0);
    for (int i = 0; i < LARGE_IN_FLIGHT && peer < size; i++)
        require_received(in + (size_t)i * LARGEST, LARGEST, i + peer);
}

/* Blocking, the sender ahead of the receiver by a thousand short messages. */
static void blocking_receives_may_take_another_order(void)
{
    enum { THOUSAND = 1024 };
    if (size == 1 || rank > 1 || is_absent(tp_matching_algorithm))
        return;
    for (int i = 0; i < THOUSAND && rank == 0; i++) {
        fill(out, 8, i);
        tp_send(out, 8, 1, i);
    }
    if (rank == 0) {
        tell(1);
        return;
    }
    hear(0);
    for (int i = THOUSAND - 1; i >= 0; i--) {
        tp_recv(in, 8, 0, i);
        require_received(in, 8, i);
    }
}

/* Everybody waits for a message that comes last of all, and blocking operations of every kind and
   a collective go on meanwhile. */
static void operations_under_way_disturb_no_others(void)
{
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    if (size == 1)
        return;
    tp_irecv(in, 20000, left, 1, 0);
    for (int i = 0; i < SIZE_COUNT; i++) {
        const size_t bytes = SIZES[i];
        fill(out + LARGEST, bytes, i);
        tp_sendrecv(out + LARGEST, bytes, right, in + LARGEST, bytes, left, TAG);
        require_received(in + LARGEST, bytes, i);
        if (rank % 2)
            tp_recv(in + LARGEST, bytes, left, TAG);
        tp_send(out + LARGEST, bytes, right, TAG);
        if (rank % 2 == 0)
            tp_recv(in + LARGEST, bytes, left, TAG);
        require_received(in + LARGEST, bytes, i);
        tp_barrier();
        require(!tp_test(0), "complete before it was sent", 1, 0);
    }
    tp_barrier();
    fill(out, 20000, rank);
    tp_isend(out, 20000, right, 1, 1);
    tp_waitall(0, 2);
    require_received(in, 20000, left);
}

/* The exchange that finds another message before its own. */
static void exchange_looks_behind_what_came_before(void)
{
    const int peer = rank ^ 1;
    if (peer >= size)
        return;
    for (int i = 0; i < SIZE_COUNT; i++) {
        const size_t bytes = SIZES[i];
        fill(out, bytes, i);
        tp_isend(out, bytes, peer, 1, 0);
        tp_sendrecv(out, bytes, peer, in, bytes, peer, TAG);
        require_received(in, bytes, i);
        tp_recv(in, bytes, peer, 1);
        require_received(in, bytes, i);
        tp_wait(0);
    }
}

static void shorter_message_completes_its_receive(void)
{
    if (size == 1 || rank > 1)
        return;
    if (rank == 0) {
        fill(out, 100, 1);
        tp_isend(out, 100, 1, TAG, 0);
    } else {
        tp_irecv(in, 5000, 0, TAG, 0);
    }
    tp_wait(0);
    if (rank == 1)
        require_received(in, 100, 1);
}

static const struct fact FACTS[] = {
    FACT(many_messages_both_ways_find_their_receives),
    FACT(messages_of_one_tag_stay_in_order),
    FACT(large_messages_in_flight_arrive),
    FACT(blocking_receives_may_take_another_order),
    FACT(operations_under_way_disturb_no_others),
    FACT(exchange_looks_behind_what_came_before),
    FACT(shorter_message_completes_its_receive),
};

static void receive_too_little(void)
{
    if (rank == 0) {
        tp_send(out, 100, 1, TAG);
        tell(1);
    } else {
        hear(0);
        tp_recv(in, 99, 0, TAG);
    }
}

static void desert(void)
{
    if (rank == 1)
        _exit(STATUS_OF_DESERTER);
    tp_irecv(in, 100, 1, TAG, 0);
    tp_wait(0);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    facts_begin(&argc, &argv, (size_t)LARGE_IN_FLIGHT * LARGEST);
    if (strcmp(what, "overlong") == 0)
        receive_too_little();
    else if (strcmp(what, "deserted") == 0)
        desert();
    else
        facts_check(FACTS, sizeof FACTS / sizeof *FACTS);
    facts_end();
    return EXIT_SUCCESS;
}
