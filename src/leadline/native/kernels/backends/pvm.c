/**
 * PVM 3.4, the Parallel Virtual Machine: ranks are its tasks, and all of them one of its groups.
 *
 * The launcher starts the daemon and the ranks, or the daemon and rank 0 alone, which spawns the
 * others; what it decides comes through the environment (pvm/machine.h).
 */
#include <limits.h>
#include <pvm3.h>
#include <stdio.h>

#include "backends/pvm/machine.h"
#include "transport/transport.h"

const char tp_backend[] = "pvm";
const bool tp_carries_payload = true;
/* PVM counts in int; with less than a fragment of 4,096 bytes to spare pvmd 3.4.6 was seen to
 * abort. */
const size_t tp_max_message_bytes = INT_MAX - 4096;

const char *tp_library(void)
{
    static char version[64];
    snprintf(version, sizeof version, "PVM %s", pvm_version());
    return version;
}

void tp_init(int *argc, char ***argv)
{
    (void)argc;
    machine_join(*argv);
}

void tp_finalize(void)
{
    machine_leave();
}

int tp_rank(void)
{
    return machine.rank;
}

int tp_size(void)
{
    return machine.ranks;
}
