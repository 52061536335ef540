/**
 * A rank that misbehaves, for tests: linked in with "-Wl,--wrap=tp_recv", so that it works over any
 * backend. LEADLINE_FAULT="kind:rank:bytes" strikes when `rank` has received a message of `bytes`
 * bytes; kind is crash, exit, hang, starve (it waits for another) or wrong_byte.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "transport/transport.h"

void __real_tp_recv(void *to, size_t bytes, int peer, int tag);
void __wrap_tp_recv(void *to, size_t bytes, int peer, int tag);

enum { NOBODYS_TAG = 12345 };

static void strike(const char *kind, char *message, size_t bytes, int peer)
{
    if (strcmp(kind, "crash") == 0)
        raise(SIGSEGV);
    else if (strcmp(kind, "exit") == 0)
        _exit(7);
    else if (strcmp(kind, "hang") == 0)
        pause();
    else if (strcmp(kind, "starve") == 0)
        __real_tp_recv(message, bytes, peer, NOBODYS_TAG);
    else if (strcmp(kind, "wrong_byte") == 0)
        message[5] ^= 0x40;
}

void __wrap_tp_recv(void *to, size_t bytes, int peer, int tag)
{
    char kind[32] = "";
    int rank = -1;
    size_t struck = 0;
    const char *fault = getenv("LEADLINE_FAULT");
    __real_tp_recv(to, bytes, peer, tag);
    if (fault && sscanf(fault, "%31[^:]:%d:%zu", kind, &rank, &struck) == 3 && rank == tp_rank() &&
        bytes == struck)
        strike(kind, to, bytes, peer);
}
