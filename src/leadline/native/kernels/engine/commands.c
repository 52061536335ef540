#include "engine/commands.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "channel/control.h"
#include "channel/machine.h"
#include "engine/sync.h"
#include "transport/transport.h"

static bool shared;

void commands_share(const char *address)
{
    int64_t connection = 0;
    if (tp_rank() == 0) {
        connection = control_connect(address);
        control_say("relay ranks=%d host=%s pid=%ld\n", tp_size(), machine_here()->host,
                    (long)getpid());
    }
    sync_broadcast(&connection, tp_size());
    control_share((int)connection);
    shared = true;
}

/* What is asked of a relay alone concerns nobody here: batches are reduced by the front-end. */
static bool is_for_relays(const char *line)
{
    return strncmp(line, "await ", strlen("await ")) == 0 || strcmp(line, "missing") == 0;
}

static const char *next_for_ranks(void)
{
    const char *line;
    do
        line = control_next();
    while (line && is_for_relays(line));
    return line;
}

static char *room_for(size_t bytes)
{
    static char *line;
    char *grown = realloc(line, bytes);
    if (!grown) {
        fprintf(stderr, "leadline kernel: no memory for a command of %zu bytes\n", bytes);
        exit(EXIT_FAILURE);
    }
    return line = grown;
}

/* Rank 0 waits for the front-end, and nobody goes on while it does: all must have answered. */
static const char *handed_on(void)
{
    const int ranks = tp_size();
    sync_max(0, ranks);
    const char *read = tp_rank() == 0 ? next_for_ranks() : NULL;
    int64_t bytes = read ? (int64_t)strlen(read) + 1 : 0;
    sync_broadcast(&bytes, ranks);
    if (bytes == 0)
        return NULL;
    char *line = room_for((size_t)bytes);
    if (read)
        memcpy(line, read, (size_t)bytes);
    sync_broadcast_bytes(line, (size_t)bytes, ranks);
    return line;
}

const char *commands_next(void)
{
    return shared ? handed_on() : control_next();
}
