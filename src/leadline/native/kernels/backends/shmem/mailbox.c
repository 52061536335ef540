/**
 * Two-sided messages over puts and flags, since SHMEM has none: "mailbox".
 *
 * Every PE has a box for each sender: a ring of letters. A sender puts a letter (a head with tag
 * and length, and a part of the message), fences, and sets the letter's number; the receiver waits
 * for that number, takes the part and tells the sender by a put how many letters it has taken. A
 * message is as many letters as it needs; a box never has more under way than it has room for.
 */
#include "backends/shmem/mailbox.h"

#include <inttypes.h>
#include <sched.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/shmem/heap.h"
#include "transport/transport.h"

enum { LETTERS = 8, PART_BYTES = 8192, LINE = 64, PATIENT_POLLS = 1000 };

const char tp_send_algorithm[] = "mailbox";

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

/** A message on its way out or in. */
struct transfer {
    int peer;
    int tag;
    char *at;
    size_t bytes;
    size_t left;
    bool started;
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
    shmem_barrier_all();
}

static struct letter *letter_of(int sender, uint64_t number)
{
    return &boxes[(uint64_t)sender * LETTERS + number % LETTERS];
}

static size_t part_of(const struct transfer *message)
{
    return message->left < PART_BYTES ? message->left : PART_BYTES;
}

/* Sends the next letter if the box has room; true when the message is all out. */
static bool send_some(struct transfer *message)
{
    static struct letter letter;
    const uint64_t number = sent[message->peer];
    const size_t part = part_of(message);
    if (number >= LETTERS &&
        !shmem_ulong_test(&taken[message->peer].value, SHMEM_CMP_GT, number - LETTERS))
        return false;
    struct letter *there = letter_of(shmem_my_pe(), number);
    letter.bytes = message->bytes;
    letter.tag = message->tag;
    memcpy(letter.part, message->at, part);
    shmem_putmem(there, &letter, offsetof(struct letter, part) + part, message->peer);
    shmem_fence();
    sent[message->peer] = number + 1;
    shmem_ulong_atomic_set(&there->number, number + 1, message->peer);
    message->at += part;
    message->left -= part;
    return message->left == 0;
}

static void check(const struct letter *letter, const struct transfer *message)
{
    char seen[160];
    if (letter->tag == message->tag && letter->bytes <= message->bytes)
        return;
    snprintf(seen, sizeof seen,
             "expected tag %d and at most %zu bytes, seen tag %" PRId64 " and %" PRIu64 " bytes",
             message->tag, message->bytes, letter->tag, letter->bytes);
    shmem_fail("a message doesn't fit its receive", seen);
}

/* Takes the next letter if it has come; true when the message is all here. */
static bool receive_some(struct transfer *message)
{
    const uint64_t number = received[message->peer];
    struct letter *letter = letter_of(message->peer, number);
    if (!shmem_ulong_test(&letter->number, SHMEM_CMP_EQ, number + 1))
        return false;
    if (!message->started) {
        check(letter, message);
        message->left = letter->bytes;
        message->started = true;
    }
    const size_t part = part_of(message);
    memcpy(message->at, letter->part, part);
    received[message->peer] = number + 1;
    shmem_ulong_atomic_set(&taken[shmem_my_pe()].value, number + 1, message->peer);
    message->at += part;
    message->left -= part;
    return message->left == 0;
}

/* Where PEs share a core the peer may be waiting for this very one. */
static void wait_a_little(unsigned *polls)
{
    if (++*polls > PATIENT_POLLS)
        sched_yield();
}

static struct transfer transfer_of(const void *at, size_t bytes, int peer, int tag)
{
    return (struct transfer){peer, tag, (char *)(uintptr_t)at, bytes, bytes, false};
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(from, bytes, peer, tag);
    for (unsigned polls = 0; !send_some(&message);)
        wait_a_little(&polls);
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    struct transfer message = transfer_of(to, bytes, peer, tag);
    for (unsigned polls = 0; !receive_some(&message);)
        wait_a_little(&polls);
}

void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    struct transfer out = transfer_of(from, send_bytes, dest, tag);
    struct transfer in = transfer_of(to, recv_bytes, source, tag);
    bool gone = false, come = false;
    for (unsigned polls = 0; !gone || !come; wait_a_little(&polls)) {
        gone = gone || send_some(&out);
        come = come || receive_some(&in);
    }
}
