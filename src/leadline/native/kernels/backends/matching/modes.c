/** Receives in any order and from any source, and modes of sending, made of what there is. */
#include <stdlib.h>
#include <string.h>

#include "backends/matching/requests.h"
#include "transport/transport.h"

const char tp_ssend_algorithm[] = "send and acknowledgement";
const char tp_bsend_algorithm[] = "copy and isend";

/** Where tp_bsend's messages leave from, one after the other. */
static struct {
    char *memory;
    size_t bytes; /* of each */
    struct request sends[TP_BUFFERED_MESSAGES];
    unsigned next;
} buffer;

int tp_recv_any(void *to, size_t bytes, int tag)
{
    struct request request;
    requests_receive(&request, wire_receive_of(to, bytes, ANY_SOURCE, tag));
    requests_wait(&request);
    return request.transfer.peer;
}

void tp_ssend(const void *from, size_t bytes, int peer, int tag)
{
    char nothing;
    tp_send(from, bytes, peer, tag | SYNCHRONOUS);
    tp_recv(&nothing, 0, peer, ACKNOWLEDGEMENT);
}

void tp_buffer_attach(size_t bytes)
{
    buffer.memory = malloc(TP_BUFFERED_MESSAGES * bytes + 1);
    buffer.bytes = bytes;
    if (!buffer.memory)
        requests_fail("no memory for %d buffered messages of %zu bytes", TP_BUFFERED_MESSAGES,
                      bytes);
    for (int i = 0; i < TP_BUFFERED_MESSAGES; i++)
        buffer.sends[i].complete = true;
}

void tp_buffer_detach(void)
{
    for (int i = 0; i < TP_BUFFERED_MESSAGES; i++)
        requests_wait(&buffer.sends[i]);
    free(buffer.memory);
    buffer.memory = NULL;
}

void tp_bsend(const void *from, size_t bytes, int peer, int tag)
{
    const unsigned place = buffer.next++ % TP_BUFFERED_MESSAGES;
    char *copy = buffer.memory + place * buffer.bytes;
    requests_progress();
    if (!buffer.memory || bytes > buffer.bytes || !buffer.sends[place].complete)
        requests_fail(
            "no room in the buffer for a message of %zu bytes to rank %d: it holds %d of %zu",
            bytes, peer, buffer.memory ? TP_BUFFERED_MESSAGES : 0, buffer.bytes);
    memcpy(copy, from, bytes);
    requests_send(&buffer.sends[place], wire_send_of(copy, bytes, peer, tag));
}
