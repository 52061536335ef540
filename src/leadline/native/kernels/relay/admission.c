#include "relay/admission.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "channel/control.h"
#include "channel/proof.h"
#include "relay/connections.h"

enum {
    MOST_UNPROVED = 64, /* beside the ranks that are awaited */
    PROOF_BYTES = 256,
    PROOF_MS = 10000,
    HELLO_BYTES = 4096,
    NONCE_BYTES = 16,
    LISTENER_PLACE = 1, /* in what is polled: the front-end, the listener, the candidates */
    BEFORE_CANDIDATES = 2,
};

/* Strangers, by what they are refused for. */
static const char other_user[] = "other_user", silent[] = "silent", crowd[] = "crowd",
                  no_proof[] = "no_proof", unknown[] = "unknown", forged[] = "forged",
                  no_hello[] = "no_hello", late[] = "late", taken[] = "taken",
                  no_rank[] = "no_rank";

/* A connection that hasn't said hello. */
struct candidate {
    struct stream stream;
    char nonce[2 * NONCE_BYTES + 1];
    int64_t since_ms;
    bool proved;
};

struct admission {
    int listener, front, awaited, of;
    struct member *members;
    int joined;
    struct candidate *candidates; /* the oldest first */
    int count, room;
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "leadline relay: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

static void refuse(const char *why)
{
    control_say("stranger %s\n", why);
}

/* Without hanging up: it may have become a member. */
static void forget(struct admission *here, int number)
{
    struct candidate *first = here->candidates + number;
    memmove(first, first + 1, (size_t)(--here->count - number) * sizeof *first);
}

static void drop(struct admission *here, int number, const char *why)
{
    stream_close(&here->candidates[number].stream);
    forget(here, number);
    if (why)
        refuse(why);
}

static int oldest_unproved(const struct admission *here)
{
    for (int i = 0; i < here->count; i++)
        if (!here->candidates[i].proved)
            return i;
    return -1;
}

static int unproved(const struct admission *here)
{
    int found = 0;
    for (int i = 0; i < here->count; i++)
        found += !here->candidates[i].proved;
    return found;
}

static void draw(char nonce[2 * NONCE_BYTES + 1])
{
    unsigned char drawn[NONCE_BYTES];
    if (getentropy(drawn, sizeof drawn) != 0)
        fail("no random numbers for a challenge");
    for (size_t i = 0; i < sizeof drawn; i++)
        snprintf(nonce + 2 * i, 3, "%02x", drawn[i]);
}

static void challenge(struct admission *here, int fd)
{
    struct candidate *candidate = &here->candidates[here->count++];
    *candidate = (struct candidate){.stream.fd = fd, .since_ms = now_ms()};
    char asked[64];
    draw(candidate->nonce);
    const int length = snprintf(asked, sizeof asked, "challenge %s\n", candidate->nonce);
    stream_send(&candidate->stream, asked, (size_t)length);
}

/* Where files are short, the oldest without a proof has to go. */
static void make_room(struct admission *here)
{
    const int oldest = oldest_unproved(here);
    if (oldest < 0)
        fail("no further rank can connect; allow more open files (ulimit -n)");
    drop(here, oldest, crowd);
}

static bool is_shortage(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

/* Takes in who waits first. */
static void admit(struct admission *here)
{
    int fd = listener_accept(here->listener);
    while (fd == NOBODY && is_shortage(errno)) {
        make_room(here);
        fd = listener_accept(here->listener);
    }
    if (fd == OTHER_USER)
        refuse(other_user);
    if (fd < 0)
        return;
    if (here->count == here->room)
        drop(here, 0, crowd);
    challenge(here, fd);
    if (unproved(here) > MOST_UNPROVED + here->awaited - here->joined)
        drop(here, oldest_unproved(here), crowd);
}

/* Takes as long for every wrong proof of the right length. */
static bool equal(const char *one, const char *other)
{
    int differ = 0;
    if (strlen(one) != PROOF_LENGTH)
        return false;
    for (size_t i = 0; i < PROOF_LENGTH; i++)
        differ |= one[i] ^ other[i];
    return differ == 0;
}

/* What is wrong with the proof in `line`, which has an end; NULL: nothing. */
static const char *fault_of(const char *line, const char *nonce)
{
    char name[PROOF_BYTES], said[PROOF_BYTES], more;
    const char *launch = getenv("LEADLINE_LAUNCH");
    if (strncmp(line, "launch ", 7) != 0 ||
        sscanf(line + 7, "%255s %255s %c", name, said, &more) != 2)
        return no_proof;
    if (strcmp(name, launch) != 0)
        return unknown;
    const char *proof = proof_of(nonce, launch, getenv("LEADLINE_SECRET"));
    return proof && equal(said, proof) ? NULL : forged;
}

static const char *prove(struct candidate *candidate)
{
    char line[PROOF_BYTES + 1];
    const size_t bytes = stream_line(&candidate->stream);
    memcpy(line, candidate->stream.bytes, bytes);
    line[bytes] = '\0';
    const char *wrong = fault_of(line, candidate->nonce);
    candidate->proved = !wrong;
    stream_drop(&candidate->stream, bytes);
    return wrong;
}

static bool is_here(const struct admission *here, int rank)
{
    for (int i = 0; i < here->joined; i++)
        if (here->members[i].rank == rank)
            return true;
    return false;
}

/* What is wrong with the hello with which its stream begins; NULL: it is a member's. */
static const char *join(struct admission *here, const struct candidate *candidate)
{
    int rank;
    char line[HELLO_BYTES + 1];
    const size_t bytes = stream_line(&candidate->stream);
    memcpy(line, candidate->stream.bytes, bytes);
    line[bytes] = '\0';
    if (sscanf(line, "hello rank=%d size=", &rank) != 1)
        return no_hello;
    if (here->joined == here->awaited)
        return late;
    if (is_here(here, rank))
        return taken;
    if (rank < 0 || rank >= here->of)
        return no_rank;
    here->members[here->joined++] = (struct member){.rank = rank, .stream = candidate->stream};
    return NULL;
}

static void hand_on(struct member *newest)
{
    const size_t bytes = stream_line(&newest->stream);
    control_send(newest->stream.bytes, bytes);
    stream_drop(&newest->stream, bytes);
}

/* What is wrong with a line that hasn't all come; NULL: it may still come. */
static const char *cut_short(const struct candidate *candidate)
{
    const struct stream *stream = &candidate->stream;
    const size_t most = candidate->proved ? HELLO_BYTES : PROOF_BYTES;
    const bool partly = stream->ended && stream->length > 0;
    if (!partly && stream->length < most)
        return NULL;
    return candidate->proved ? no_hello : no_proof;
}

/* Takes in what a candidate says; what is wrong with it, or NULL. */
static const char *take_in(struct admission *here, struct candidate *candidate, bool *joined)
{
    struct stream *stream = &candidate->stream;
    stream_fill(stream, candidate->proved ? HELLO_BYTES : PROOF_BYTES);
    if (!candidate->proved && stream_line(stream)) {
        const char *wrong = prove(candidate);
        if (wrong)
            return wrong;
    }
    if (!candidate->proved || !stream_line(stream))
        return cut_short(candidate);
    const char *wrong = join(here, candidate);
    *joined = !wrong;
    return wrong;
}

static void hear(struct admission *here, int number)
{
    struct candidate *candidate = &here->candidates[number];
    bool joined = false;
    const char *wrong = take_in(here, candidate, &joined);
    if (joined)
        forget(here, number);
    else if (wrong || candidate->stream.ended) /* who ends by itself was refused nothing */
        drop(here, number, wrong);
}

/* The last one's hello waits until all strangers are told of. */
static void hear_all(struct admission *here, const struct pollfd *lines)
{
    for (int i = here->count - 1; i >= 0; i--) {
        const int before = here->joined;
        if (lines[BEFORE_CANDIDATES + i].revents)
            hear(here, i);
        if (here->joined > before && here->joined < here->awaited)
            hand_on(&here->members[here->joined - 1]);
    }
}

static void drop_overdue(struct admission *here)
{
    const int64_t now = now_ms();
    int oldest;
    while ((oldest = oldest_unproved(here)) >= 0 &&
           now >= here->candidates[oldest].since_ms + PROOF_MS)
        drop(here, oldest, silent);
}

static int patience_ms(const struct admission *here)
{
    const int oldest = oldest_unproved(here);
    if (oldest < 0)
        return -1;
    const int64_t left = here->candidates[oldest].since_ms + PROOF_MS - now_ms();
    return left > 0 ? (int)left : 0;
}

static void look(struct admission *here, struct pollfd *lines)
{
    const int polled = BEFORE_CANDIDATES + here->count;
    lines[0] = (struct pollfd){.fd = here->front, .events = POLLRDHUP};
    lines[LISTENER_PLACE] = (struct pollfd){.fd = here->listener, .events = POLLIN};
    for (int i = 0; i < here->count; i++)
        lines[BEFORE_CANDIDATES + i] =
            (struct pollfd){.fd = here->candidates[i].stream.fd, .events = POLLIN};
    if (poll(lines, (nfds_t)polled, patience_ms(here)) <= 0)
        memset(lines, 0, (size_t)polled * sizeof *lines);
    if (lines[0].revents)
        exit(STATUS_HUNG_UP);
    hear_all(here, lines);
    drop_overdue(here);
    if (lines[LISTENER_PLACE].revents)
        admit(here);
}

static void close_to_strangers(struct admission *here)
{
    int fd;
    while ((fd = listener_accept(here->listener)) >= 0) {
        struct stream one = {.fd = fd};
        stream_close(&one);
        refuse(late);
    }
    while (here->count > 0)
        drop(here, 0, here->candidates[0].proved ? NULL : silent);
    listener_close(here->listener);
}

static void *reserve(int number, size_t bytes)
{
    void *room = calloc((size_t)number, bytes);
    if (!room)
        fail("no memory for the ranks");
    return room;
}

static int by_rank(const void *one, const void *other)
{
    return ((const struct member *)one)->rank - ((const struct member *)other)->rank;
}

struct member *admission_of(int listener, int front, int awaited, int of)
{
    struct admission here = {.listener = listener, .front = front, .awaited = awaited, .of = of};
    here.room = MOST_UNPROVED + 2 * awaited; /* with a proof, and without */
    here.members = reserve(awaited, sizeof *here.members);
    here.candidates = reserve(here.room, sizeof *here.candidates);
    struct pollfd *lines = reserve(BEFORE_CANDIDATES + here.room, sizeof *lines);
    while (here.joined < awaited)
        look(&here, lines);
    close_to_strangers(&here);
    hand_on(&here.members[awaited - 1]);
    qsort(here.members, (size_t)awaited, sizeof *here.members, by_rank);
    free(here.candidates);
    free(lines);
    return here.members;
}
