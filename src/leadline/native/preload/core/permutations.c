#include "core/permutations.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "saying.h"

enum { MOST_ROW = 160 };

/** The last row's communicator in an open file; 0: none yet. */
static long last_communicator(FILE *file)
{
    char row[MOST_ROW];
    long last = 0;
    if (fseek(file, 0, SEEK_END) != 0)
        return 0;
    const long end = ftell(file);
    fseek(file, end > MOST_ROW ? end - MOST_ROW : 0, SEEK_SET);
    while (fgets(row, sizeof row, file))
        if (strchr(row, ',') && strchr(row, '\n'))
            last = strtol(row, NULL, 10);
    return last;
}

static void write_rows(FILE *file, const struct place *places, const int64_t *permutation,
                       int ranks)
{
    const long communicator = last_communicator(file) + 1;
    if (communicator == 1)
        fprintf(file, "communicator,rank,old_rank,host\n");
    for (int rank = 0; rank < ranks; rank++)
        fprintf(file, "%ld,%d,%lld,%s\n", communicator, rank, (long long)permutation[rank],
                places[permutation[rank]].host);
}

void permutations_append(const char *path, const struct place *places, const int64_t *permutation,
                         int ranks)
{
    FILE *file = fopen(path, "a+e");
    if (!file) {
        warn("LEADLINE_MAP_OUT=%s can't be written: %s", path, strerror(errno));
        return;
    }
    flock(fileno(file), LOCK_EX); /* several communicators' first ranks may append at a time */
    write_rows(file, places, permutation, ranks);
    const bool failed = fflush(file) != 0 || ferror(file);
    if (failed)
        warn("LEADLINE_MAP_OUT=%s can't be written: %s", path, strerror(errno));
    fclose(file);
}
