/**
 * Memory for messages: what LEADLINE_PLANT says happens to it.
 *
 *   none     the last rank gets none the first time that it asks
 *   logged   "+ PLACE BYTES" and "- PLACE" are appended to $LEADLINE_ALLOCATIONS.<rank>
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/transport.h"

void *__real_tp_allocate(size_t bytes);
void __real_tp_release(void *memory);
void *__wrap_tp_allocate(size_t bytes);
void __wrap_tp_release(void *memory);

static bool planted(const char *what)
{
    const char *plant = getenv("LEADLINE_PLANT");
    return plant && strcmp(plant, what) == 0;
}

static void log_line(char sign, const void *memory, size_t bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", getenv("LEADLINE_ALLOCATIONS"), tp_rank());
    FILE *log = fopen(path, "a");
    fprintf(log, "%c %p %zu\n", sign, memory, bytes);
    fclose(log);
}

void *__wrap_tp_allocate(size_t bytes)
{
    static int calls;
    if (planted("none") && tp_rank() == tp_size() - 1 && calls++ == 0)
        return NULL;
    void *memory = __real_tp_allocate(bytes);
    if (planted("logged"))
        log_line('+', memory, bytes);
    return memory;
}

void __wrap_tp_release(void *memory)
{
    if (planted("logged") && memory)
        log_line('-', memory, 0);
    __real_tp_release(memory);
}
