#include "channel/machine.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "channel/words.h"

/* -- host and clock ---------------------------------------------------------------------------- */

/* The first word of `path`; false where it can't be read. */
static bool read_word(const char *path, char word[static MACHINE_LENGTH])
{
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const bool read = fscanf(file, "%255s", word) == 1;
    fclose(file);
    return read;
}

/* A link to "time:[4026531834]"; offsets of CLOCK_MONOTONIC belong to a namespace. */
static unsigned long time_namespace(void)
{
    char target[64];
    unsigned long inode = 0;
    const ssize_t length = readlink("/proc/self/ns/time", target, sizeof target - 1);
    if (length > 0) {
        target[length] = '\0';
        sscanf(target, "time:[%lu]", &inode);
    }
    return inode;
}

const struct machine *machine_here(void)
{
    static struct machine here;
    if (here.host[0])
        return &here;
    gethostname(here.host, sizeof here.host - 1);
    if (!read_word("/proc/sys/kernel/random/boot_id", here.id))
        memcpy(here.id, here.host, sizeof here.id);
    snprintf(here.clock, sizeof here.clock, "%s:%lu", here.id, time_namespace());
    return &here;
}

/* -- cores ------------------------------------------------------------------------------------- */

static _Noreturn void no_memory(void)
{
    fputs("leadline kernel: no memory for a list of cores\n", stderr);
    abort();
}

static cpu_set_t *empty_set(size_t bytes)
{
    cpu_set_t *set = malloc(bytes);
    if (!set)
        no_memory();
    CPU_ZERO_S(bytes, set);
    return set;
}

/* The list begins again behind its end; -1: it isn't one. */
static long core_of(const char *cores, long entry)
{
    int64_t core;
    for (const char *next = cores; words_digits(&next, &core);
         next = *next == ',' ? next + 1 : cores)
        if (entry-- == 0)
            return core;
    return -1;
}

static void bind_to(long entry)
{
    const char *cores = getenv("LEADLINE_BIND");
    const long core = cores ? core_of(cores, entry) : -1;
    if (core < 0)
        return;
    const size_t bytes = CPU_ALLOC_SIZE((size_t)core + 1);
    cpu_set_t *one = empty_set(bytes);
    CPU_SET_S((size_t)core, bytes, one);
    sched_setaffinity(0, bytes, one);
    free(one);
}

void binding_apply(void)
{
    const char *variable = getenv("LEADLINE_RANK_VARIABLE");
    const char *text = variable ? getenv(variable) : NULL;
    int64_t rank;
    if (text && words_digits(&text, &rank))
        bind_to(rank);
}

void binding_apply_second(int rank, int ranks)
{
    bind_to((long)ranks + rank);
}

/* The system tells nothing where the set hasn't room for all the cores that it may have. */
static cpu_set_t *allowed_cores(size_t *bytes)
{
    for (*bytes = sizeof(cpu_set_t);; *bytes *= 2) {
        cpu_set_t *allowed = empty_set(*bytes);
        if (sched_getaffinity(0, *bytes, allowed) == 0 || errno != EINVAL)
            return allowed;
        free(allowed);
    }
}

static void write_ranges(const cpu_set_t *allowed, size_t bytes, FILE *text)
{
    struct ranges ranges = {.to = text};
    for (size_t core = 0; core < bytes * CHAR_BIT; core++)
        if (CPU_ISSET_S(core, bytes, allowed))
            ranges_add(&ranges, (int64_t)core);
    ranges_end(&ranges);
}

char *binding_cores(void)
{
    char *text = NULL;
    size_t length, bytes;
    cpu_set_t *allowed = allowed_cores(&bytes);
    FILE *stream = open_memstream(&text, &length);
    if (stream)
        write_ranges(allowed, bytes, stream);
    free(allowed);
    if (!stream || fclose(stream) != 0)
        no_memory();
    return text;
}
