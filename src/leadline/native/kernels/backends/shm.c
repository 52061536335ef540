/** Raw shared memory: the limit that libraries on one host are measured against. */
#include <stdint.h>
#include <stdio.h>

#include "backends/shm/messages.h"
#include "backends/shm/segment.h"
#include "backends/shm/single_copy.h"
#include "transport/transport.h"

const char tp_backend[] = "shm";
const bool tp_carries_payload = true;
const size_t tp_max_message_bytes = SIZE_MAX / 2;

const char *tp_library(void)
{
    static char text[300];
    snprintf(text, sizeof text, "raw shared memory 1 (single copy: %s)", single_copy_names());
    return text;
}

void tp_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    segment_attach();
    messages_open();
    single_copy_choose();
}

void tp_finalize(void)
{
    tp_barrier();
    segment_detach();
}
