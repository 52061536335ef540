/** Messages with gaps: gathered by their sender, scattered by their receiver. */
#include <stdlib.h>
#include <string.h>

#include "backends/trace/job.h"
#include "transport/transport.h"

const char tp_datatype_algorithm[] = "gather, send, scatter";

/** How the payload lies in an element. */
struct form {
    size_t step; /* from one element to the next */
    int parts;
    struct {
        size_t at, bytes;
    } part[3];
};

static const struct form forms[] = {
    [TP_STRIDED] = {TP_STRIDE * sizeof(double), 1, {{0, sizeof(double)}}},
    [TP_STRUCT] = {sizeof(struct tp_particle),
                   3,
                   {{offsetof(struct tp_particle, kind), sizeof(int32_t)},
                    {offsetof(struct tp_particle, charge), sizeof(double)},
                    {offsetof(struct tp_particle, symbol), 4}}},
};

struct tp_datatype {
    const struct form *form;
    size_t elements;
    size_t bytes; /* of payload */
    char payload[];
};

static size_t payload_of(const struct form *form)
{
    size_t bytes = 0;
    for (int i = 0; i < form->parts; i++)
        bytes += form->part[i].bytes;
    return bytes;
}

struct tp_datatype *tp_datatype_make(enum tp_form form, size_t elements)
{
    const size_t bytes = elements * payload_of(&forms[form]);
    struct tp_datatype *type = malloc(sizeof *type + bytes);
    if (!type)
        job_fail("no memory to gather %zu elements", elements);
    type->form = &forms[form];
    type->elements = elements;
    type->bytes = bytes;
    return type;
}

void tp_datatype_free(struct tp_datatype *type)
{
    free(type);
}

void tp_send_datatype(const void *from, const struct tp_datatype *type, int peer, int tag)
{
    char *to = ((struct tp_datatype *)type)->payload;
    const char *element = from;
    for (size_t i = 0; i < type->elements; i++, element += type->form->step)
        for (int k = 0; k < type->form->parts; to += type->form->part[k++].bytes)
            memcpy(to, element + type->form->part[k].at, type->form->part[k].bytes);
    tp_send(type->payload, type->bytes, peer, tag);
}

void tp_recv_datatype(void *to, const struct tp_datatype *type, int peer, int tag)
{
    const char *from = type->payload;
    char *element = to;
    tp_recv(((struct tp_datatype *)type)->payload, type->bytes, peer, tag);
    for (size_t i = 0; i < type->elements; i++, element += type->form->step)
        for (int k = 0; k < type->form->parts; from += type->form->part[k++].bytes)
            memcpy(element + type->form->part[k].at, from, type->form->part[k].bytes);
}
