/**
 * Two-sided messages over puts and flags, since SHMEM has none: "mailbox".
 *
 * Every PE has a box for each sender: a ring of letters. A sender puts a letter (a head with tag
 * and length, and a part of the message), fences, and sets the letter's number; the receiver waits
 * for that number, takes the part and tells the sender by a put how many letters it has taken. A
 * message is as many letters as it needs; a box never has more under way than it has room for.
 *
 * A pair's messages travel in the order in which they were sent. A receive takes the next one at
 * once if that is the one it asked for; else they are matched (matching/requests.h).
 */
#include "backends/shmem/mailbox.h"

#include <inttypes.h>
#include <sched.h>
#include <shmem.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backends/matching/requests.h"
#include "backends/shmem/advance.h"
#include "backends/shmem/heap.h"
#include "transport/transport.h"

enum { LETTERS = 8, PART_BYTES = 8192, LINE = TP_LINE_BYTES, PATIENT_POLLS = 1000 };

const char tp_send_algorithm[] = "mailbox";
const char tp_isend_algorithm[] = "mailbox";
const char tp_matching_algorithm[] = "mailbox";

struct letter {
    uint64_t bytes; /* of the whole message */
    int64_t tag;
    char part[PART_BYTES];
    uint64_t number; /* counted from 1; set last */
    char padding[LINE - 3 * 8];
};

/** A count on a line of its own. */
struct count {
    uint64_t value;
    char padding[LINE - 8];
};

static struct letter *boxes; /* [sender * LETTERS + number % LETTERS], symmetric */
static struct count *taken;  /* [receiver]: letters to it that it has taken, symmetric */
static uint64_t *sent;       /* [receiver]: letters so far */
static uint64_t *received;   /* [sender] */

void mailbox_open(void)
{
    const size_t pes = (size_t)shmem_n_pes();
    boxes = heap_allocate(pes * LETTERS * sizeof *boxes, "mailboxes");
    taken = heap_allocate(pes * sizeof *taken, "mailboxes");
    sent = calloc(pes, sizeof *sent);
    received = calloc(pes, sizeof *received);
    if (!sent || !received)
        shmem_fail("no memory", "mailboxes");
    memset(boxes, 0, pes * LETTERS * sizeof *boxes);
    memset(taken, 0, pes * sizeof *taken);
    requests_open((int)pes);
    advance_open();
    shmem_barrier_all();
}

_Noreturn void wire_fail(const char *text)
{
    shmem_fail("messages", text);
}

/* Where PEs share a core the peer may be waiting for this very one. */
void wire_wait(int source, unsigned *polls)
{
    (void)source;
    advance_library();
    if (++*polls > PATIENT_POLLS)
        sched_yield();
}

/* What goes before the payload is said in the first letter. */
static struct transfer transfer_of(int peer, const void *at, size_t bytes, int tag)
{
    return (struct transfer){peer, tag, bytes, (char *)(uintptr_t)at, bytes, 1, NULL};
}

struct transfer wire_send_of(const void *from, size_t bytes, int peer, int tag)
{
    return transfer_of(peer, from, bytes, tag);
}

struct transfer wire_receive_of(void *to, size_t bytes, int peer, int tag)
{
    return transfer_of(peer, to, bytes, tag);
}

static struct letter *letter_of(int sender, uint64_t number)
{
    return &boxes[(uint64_t)sender * LETTERS + number % LETTERS];
}

static size_t part_of(const struct transfer *message)
{
    return message->left < PART_BYTES ? message->left : PART_BYTES;
}

/* Nothing of the next letter is put before its place is known to have been read. */
static bool has_room(int peer)
{
    const uint64_t number = sent[peer];
    if (number < LETTERS)
        return true;
    const bool room = shmem_ulong_test(&taken[peer].value, SHMEM_CMP_GT, number - LETTERS);
    atomic_thread_fence(memory_order_acquire);
    return room;
}

static void send_letter(struct transfer *message)
{
    static struct letter letter;
    const uint64_t number = sent[message->peer]++;
    const size_t part = part_of(message);
    struct letter *there = letter_of(shmem_my_pe(), number);
    letter.bytes = message->bytes;
    letter.tag = message->tag;
    memcpy(letter.part, message->at, part);
    shmem_putmem(there, &letter, offsetof(struct letter, part) + part, message->peer);
    shmem_fence();
    shmem_ulong_atomic_set(&there->number, number + 1, message->peer);
    message->header_left = 0;
    message->at += part;
    message->left -= part;
}

bool wire_send(struct transfer *out)
{
    while (out->header_left + out->left > 0) {
        if (!has_room(out->peer))
            return false;
        send_letter(out);
    }
    return true;
}

/* The peer's next letter, if it has come. Loads of what else is in it stay behind the test. */
static struct letter *arrived_letter(int peer)
{
    const uint64_t number = received[peer];
    struct letter *letter = letter_of(peer, number);
    if (!shmem_ulong_test(&letter->number, SHMEM_CMP_EQ, number + 1))
        return NULL;
    atomic_thread_fence(memory_order_acquire);
    return letter;
}

/* All of the letter is loaded before its sender may learn that it was taken. */
static void take_letter(struct transfer *message, const struct letter *letter)
{
    if (message->header_left > 0)
        message->left = message->bytes = letter->bytes;
    message->header_left = 0;
    const size_t part = part_of(message);
    memcpy(message->at, letter->part, part);
    const uint64_t number = ++received[message->peer];
    atomic_thread_fence(memory_order_release);
    shmem_ulong_atomic_set(&taken[shmem_my_pe()].value, number, message->peer);
    message->at += part;
    message->left -= part;
}

bool wire_arrived(int peer, struct envelope *seen)
{
    const struct letter *letter = arrived_letter(peer);
    if (letter)
        *seen = (struct envelope){(int)letter->tag, letter->bytes};
    return letter != NULL;
}

bool wire_receive(struct transfer *in)
{
    while (in->header_left + in->left > 0) {
        const struct letter *letter = arrived_letter(in->peer);
        if (!letter)
            return false;
        take_letter(in, letter);
    }
    return true;
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(peer, from, bytes, tag);
    if (!requests_may_send()) {
        requests_send_and_wait(message);
        return;
    }
    for (unsigned polls = 0; !wire_send(&message);)
        wire_wait(peer, &polls);
}

static bool is_asked_for(const struct letter *letter, const struct transfer *message)
{
    return letter->tag == message->tag && letter->bytes <= message->bytes;
}

/* Takes in what has come of the peer's next message; false if another one was asked for. */
static bool receive_some(struct transfer *message, bool *received)
{
    const struct letter *letter = arrived_letter(message->peer);
    *received = false;
    if (!letter)
        return true;
    if (message->header_left > 0 && !is_asked_for(letter, message))
        return false;
    take_letter(message, letter);
    *received = wire_receive(message);
    return true;
}

/* Waits for the peer's next message and takes it in, if it is the one asked for. */
static bool receive_next(struct transfer *message)
{
    bool received = false;
    for (unsigned polls = 0; receive_some(message, &received);) {
        if (received)
            return true;
        wire_wait(message->peer, &polls);
    }
    return false;
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(peer, to, bytes, tag);
    if (!requests_may_receive() || !receive_next(&message))
        requests_receive_and_wait(message);
}

/* Both directions advance together; false when the peer's next message isn't the one asked for. */
static bool exchange_next(struct transfer *out, struct transfer *in)
{
    bool sent = false, received = false;
    for (unsigned polls = 0; !sent || !received; wire_wait(in->peer, &polls)) {
        sent = sent || wire_send(out);
        if (!received && !receive_some(in, &received))
            return false;
    }
    return true;
}

void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    struct transfer out = transfer_of(dest, from, send_bytes, tag);
    struct transfer in = transfer_of(source, to, recv_bytes, tag);
    if (!requests_may_receive() || !exchange_next(&out, &in))
        requests_exchange(out, in);
}
