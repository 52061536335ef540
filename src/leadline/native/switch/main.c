/**
 * A switch between hosts of one machine: gives each frame the time that it would take on a wire.
 *
 *   switch --control PATH --ports N --rate BITS_PER_S ...
 *
 * Makes a TAP device a port in its network namespace, t1, t2 ..., which others may then move into
 * the namespaces of hosts; all are gone when it ends. It is ready once it answers at PATH
 * (commands.h).
 */
#include <stdlib.h>

#include "clock.h"
#include "control.h"
#include "loop.h"
#include "options.h"
#include "switchboard.h"
#include "urgency.h"

static struct switchboard board;

int main(int argc, char **argv)
{
    struct options options;
    struct control control;
    if (!options_read(argc, argv, &options))
        return 2;
    bool good = switchboard_make(&options, &board) && control_open(options.control, &control);
    if (good) {
        board.refused = urgency_ask();
        board.vigil = vigil_begin(clock_now_ns());
        good = loop_run(&board, &control);
        vigil_end(&board.vigil);
        control_close(&control);
    }
    switchboard_free(&board);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
