/**
 * What the switch's history of ROOM frames, the first argument, holds after each of COUNT, the
 * second: prints the numbers of the frames in it, a line each time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "history.h"

int main(int argc, char **argv)
{
    struct history history;
    if (argc != 3 || !history_make(atol(argv[1]), &history))
        return EXIT_FAILURE;
    for (int64_t frame = 0; frame < atol(argv[2]); frame++) {
        history_add(&history, &(struct delivered){.arrival_ns = frame});
        for (int64_t number = history_first(&history); number < history.added; number++)
            printf("%" PRId64 " ", history_at(&history, number)->arrival_ns);
        printf("\n");
    }
    history_free(&history);
    return EXIT_SUCCESS;
}
