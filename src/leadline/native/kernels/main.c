/**
 * A kernel: the patterns over one message-passing library.
 *
 *   kernel --describe                        what it can measure, as JSON; no library is started
 *   kernel                                   obeys the front-end at $LEADLINE_CONTROL
 *   kernel --script FILE --records PREFIX    obeys a file, writes to PREFIX.<rank>
 *   kernel --relay RANKS OF                  speaks with the front-end for RANKS ranks of a launch
 * of OF, which are on this host; no library is started
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "channel/control.h"
#include "channel/core_latency.h"
#include "channel/machine.h"
#include "channel/progress.h"
#include "describe.h"
#include "engine/commands.h"
#include "engine/engine.h"
#include "relay/relay.h"
#include "transport/transport.h"

/*
 * A rank that was stopped (SIGSTOP, a debugger that died) can't see its front-end hang up. So it
 * asks the kernel for SIGCONT when who started it ends, which launchers do once the front-end has
 * gone: the thread that watches the control channel then ends it. SIGKILL would be surer by a step,
 * and wrong: the kernel sends this signal when the THREAD that started the process ends, as a
 * launcher's may while all is well; to who runs SIGCONT does nothing. Whoever is stopped before
 * sleeps on.
 */
static void let_parent_wake_me(void)
{
    prctl(PR_SET_PDEATHSIG, SIGCONT); /* that a parent ended before this is no matter: this runs */
}

int main(int argc, char **argv)
{
    const char *address = getenv("LEADLINE_CONTROL");
    const bool scripted =
        argc == 5 && strcmp(argv[1], "--script") == 0 && strcmp(argv[3], "--records") == 0;
    const bool relayed =
        argc == 4 && strcmp(argv[1], "--relay") == 0 && atoi(argv[2]) > 0 && address;
    if (argc == 2 && strcmp(argv[1], "--describe") == 0) {
        kernel_describe();
        return EXIT_SUCCESS;
    }
    let_parent_wake_me();
    if (relayed)
        return relay_serve(address, atoi(argv[2]), atoi(argv[3]));
    if (!scripted && (argc != 1 || !address)) {
        fprintf(stderr, "usage: %s --describe | --script FILE --records PREFIX\n", argv[0]);
        return 2;
    }
    binding_apply();
    machine_here();
    if (!scripted && !tp_simulated())
        control_connect(address);
    tp_init(&argc, &argv);
    if (scripted)
        control_open(argv[2], argv[4], tp_rank());
    else if (tp_simulated())
        commands_share(address);
    progress_open(tp_rank());
    core_latency_open(tp_rank());
    eng_serve();
    tp_finalize();
    return EXIT_SUCCESS;
}
