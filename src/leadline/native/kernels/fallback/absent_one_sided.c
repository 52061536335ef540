/** Absent: needs a library or memory that lets a rank reach another's. */
#include <stdio.h>
#include <stdlib.h>

#include "transport/transport.h"

const char tp_put_algorithm[] = "absent";
const char tp_get_algorithm[] = "absent";
const char tp_put_flag_algorithm[] = "absent";
const char tp_fetch_add_algorithm[] = "absent";
const char tp_compare_swap_algorithm[] = "absent";

static _Noreturn void refuse(const char *operation)
{
    fprintf(stderr, "leadline kernel: %s is absent over %s\n", operation, tp_backend);
    abort();
}

void *tp_symmetric_block(size_t bytes)
{
    (void)bytes;
    refuse("symmetric_block");
}

void tp_symmetric_sync(void)
{
    refuse("symmetric_sync");
}

void tp_put(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
    refuse("put");
}

void tp_put_start(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
    refuse("put_start");
}

void tp_get(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
    refuse("get");
}

void tp_get_start(void *to, const void *from, size_t bytes, int peer)
{
    (void)to, (void)from, (void)bytes, (void)peer;
    refuse("get_start");
}

void tp_quiet(void)
{
    refuse("quiet");
}

void tp_put_flag(void *to, const void *from, size_t bytes, uint64_t *flag, uint64_t value, int peer)
{
    (void)to, (void)from, (void)bytes, (void)flag, (void)value, (void)peer;
    refuse("put_flag");
}

void tp_wait_until(const uint64_t *flag, uint64_t value)
{
    (void)flag, (void)value;
    refuse("wait_until");
}

uint64_t tp_fetch_add(uint64_t *word, uint64_t value, int peer)
{
    (void)word, (void)value, (void)peer;
    refuse("fetch_add");
}

uint64_t tp_compare_swap(uint64_t *word, uint64_t expected, uint64_t value, int peer)
{
    (void)word, (void)expected, (void)value, (void)peer;
    refuse("compare_swap");
}
