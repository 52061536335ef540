/** Messages, one call at a time. A message has left when its last piece is in the peer's pipe. */
#include <stdlib.h>
#include <string.h>

#include "backends/trace/answers.h"
#include "backends/trace/arrivals.h"
#include "backends/trace/job.h"
#include "backends/trace/log.h"
#include "backends/trace/outbox.h"
#include "backends/trace/progress.h"
#include "transport/transport.h"

const char tp_send_algorithm[] = "native";
const char tp_matching_algorithm[] = "native";
const char tp_ssend_algorithm[] = "send and acknowledgement";
const char tp_bsend_algorithm[] = "copy and send";

/** Where tp_bsend's messages leave from, one after the other. */
static struct {
    char *memory;
    size_t bytes; /* of each */
    bool sent[TP_BUFFERED_MESSAGES];
    unsigned next;
} buffer;

static void post(enum kind kind, const void *from, size_t bytes, int peer, int tag, bool *sent)
{
    const struct piece head = {.kind = kind, .tag = tag, .depth = log_depth()};
    log_sent("send", peer, bytes, tag);
    outbox_add(peer, head, from, bytes, sent);
}

void tp_send(const void *from, size_t bytes, int peer, int tag)
{
    post(MESSAGE, from, bytes, peer, tag, NULL);
    progress_until_sent();
}

static int receive(void *to, size_t bytes, int peer, int tag)
{
    struct arrival arrival;
    arrivals_ask(&arrival, to, bytes, peer, tag);
    progress_until(&arrival.complete);
    log_found("receive", arrival.source, arrival.bytes, tag, arrival.depth);
    return arrival.source;
}

void tp_recv(void *to, size_t bytes, int peer, int tag)
{
    receive(to, bytes, peer, tag);
}

int tp_recv_any(void *to, size_t bytes, int tag)
{
    return receive(to, bytes, ANY_SOURCE, tag);
}

void tp_sendrecv(const void *from, size_t send_bytes, int dest, void *to, size_t recv_bytes,
                 int source, int tag)
{
    if (dest == job.rank) {
        memcpy(to, from, send_bytes < recv_bytes ? send_bytes : recv_bytes);
        return;
    }
    post(MESSAGE, from, send_bytes, dest, tag, NULL);
    receive(to, recv_bytes, source, tag);
}

void tp_ssend(const void *from, size_t bytes, int peer, int tag)
{
    answers_expect(NULL);
    post(SYNCHRONOUS, from, bytes, peer, tag, NULL);
    progress_until(&answer.came);
}

void tp_buffer_attach(size_t bytes)
{
    buffer.memory = malloc(TP_BUFFERED_MESSAGES * bytes + 1);
    buffer.bytes = bytes;
    if (!buffer.memory)
        job_fail("no memory for %d buffered messages of %zu bytes", TP_BUFFERED_MESSAGES, bytes);
    memset(buffer.sent, true, sizeof buffer.sent);
}

void tp_buffer_detach(void)
{
    progress_until_sent();
    free(buffer.memory);
    buffer.memory = NULL;
}

void tp_bsend(const void *from, size_t bytes, int peer, int tag)
{
    const unsigned place = buffer.next++ % TP_BUFFERED_MESSAGES;
    progress();
    if (!buffer.memory || bytes > buffer.bytes || !buffer.sent[place])
        job_fail("no room in the buffer for a message of %zu bytes to rank %d: it holds %d of %zu",
                 bytes, peer, buffer.memory ? TP_BUFFERED_MESSAGES : 0, buffer.bytes);
    char *copy = buffer.memory + place * buffer.bytes;
    memcpy(copy, from, bytes);
    buffer.sent[place] = false;
    post(MESSAGE, copy, bytes, peer, tag, &buffer.sent[place]);
    outbox_move();
}
