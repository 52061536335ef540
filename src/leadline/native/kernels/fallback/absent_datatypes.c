/** Absent: a transport of bytes knows no datatypes; who sends by one packs by hand. */
#include "fallback/absent.h"

ABSENT_ALGORITHM(datatype);

ABSENT(void, send_datatype, (const void *from, const struct tp_datatype *type, int peer, int tag))
ABSENT(void, recv_datatype, (void *to, const struct tp_datatype *type, int peer, int tag))

struct tp_datatype *tp_datatype_make(enum tp_form form, size_t elements)
{
    return NULL;
}

void tp_datatype_free(struct tp_datatype *type)
{
}
