/**
 * Checks that the two threads of a rank (engine/repetitions.h) see what the other stored: the
 * second what was stored before repetitions_run was called, the first, when it has returned, what
 * the second stored meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/repetitions.h"

enum { TURNS = 200, TURNS_BETWEEN_NAPS = 50, NAP_US = 20000 /* the second thread falls asleep */ };

static long given, answered;

static void first_thread(const struct cell *cell, long first, long last)
{
    (void)cell, (void)first, (void)last;
}

static void second_thread(const struct cell *cell, long first, long last)
{
    (void)cell;
    answered = given + last - first;
}

int main(void)
{
    static const struct pattern both = {.run = first_thread, .second = second_thread};
    static const struct cell cell;
    for (long turn = 0; turn < TURNS; turn++) {
        given = turn;
        repetitions_run(&both, &cell, 0, 10);
        if (answered != turn + 10) {
            fprintf(stderr, "turn %ld: seen %ld, not %ld\n", turn, answered, turn + 10);
            return EXIT_FAILURE;
        }
        if (turn % TURNS_BETWEEN_NAPS == 0)
            usleep(NAP_US);
    }
    puts("both threads saw what the other stored");
    return EXIT_SUCCESS;
}
