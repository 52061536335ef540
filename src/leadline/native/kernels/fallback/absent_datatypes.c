/** Absent: a transport of bytes knows no datatypes; who sends by one packs by hand. */
#include <stdio.h>
#include <stdlib.h>

#include "transport/transport.h"

const char tp_datatype_algorithm[] = "absent";

struct tp_datatype *tp_datatype_make(enum tp_form form, size_t elements)
{
    (void)form, (void)elements;
    return NULL;
}

void tp_datatype_free(struct tp_datatype *type)
{
    (void)type;
}

static _Noreturn void absent(void)
{
    fprintf(stderr, "leadline kernel: derived datatypes are absent over %s\n", tp_backend);
    abort();
}

void tp_send_datatype(const void *from, const struct tp_datatype *type, int peer, int tag)
{
    (void)from, (void)type, (void)peer, (void)tag;
    absent();
}

void tp_recv_datatype(void *to, const struct tp_datatype *type, int peer, int tag)
{
    (void)to, (void)type, (void)peer, (void)tag;
    absent();
}
