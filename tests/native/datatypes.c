/**
 * Checks that a backend's derived datatypes move every byte of the payload around a ring of ranks
 * and leave what lies between alone. A difference is named on stderr and ends the rank with status
 * 1. Where messages carry no payload (null) only the calls are made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "patterns/payload.h"
#include "transport/transport.h"

enum { TAG = 9, MOST_ELEMENTS = 40000 };

static const size_t COUNTS[] = {1, 2, 3, 64, 1001, MOST_ELEMENTS};

static void require(bool holds, enum tp_form form, size_t elements, const struct mismatch *wrong)
{
    if (holds || !tp_carries_payload)
        return;
    fprintf(stderr, "rank %d of %d over %s, form %d, %zu elements: at %zu %#x, not %#x\n",
            tp_rank(), tp_size(), tp_backend, (int)form, elements, wrong->offset_bytes,
            (unsigned)wrong->seen, (unsigned)wrong->expected);
    exit(EXIT_FAILURE);
}

/* Even ranks send first; a ring of one can't. */
static void shift(const char *out, char *in, const struct tp_datatype *type)
{
    const int size = tp_size(), next = (tp_rank() + 1) % size;
    const int previous = (tp_rank() + size - 1) % size;
    if (tp_rank() % 2 == 0)
        tp_send_datatype(out, type, next, TAG);
    tp_recv_datatype(in, type, previous, TAG);
    if (tp_rank() % 2 == 1)
        tp_send_datatype(out, type, next, TAG);
}

static void check(char *out, char *in, enum tp_form form, size_t elements)
{
    const size_t payload = form == TP_STRIDED ? TP_STRIDED_PAYLOAD : TP_STRUCT_PAYLOAD;
    const size_t span = payload_span(form, elements * payload);
    const int previous = (tp_rank() + tp_size() - 1) % tp_size();
    struct mismatch wrong = {0};
    struct tp_datatype *type = tp_datatype_make(form, elements);
    payload_fill(out, span, tp_rank(), 0);
    payload_clear(in, span, previous, 0);
    shift(out, in, type);
    require(payload_check_form(in, span, form, previous, 0, &wrong), form, elements, &wrong);
    require(payload_check(out, span, tp_rank(), 0, &wrong), form, elements, &wrong);
    tp_datatype_free(type);
}

int main(int argc, char **argv)
{
    tp_init(&argc, &argv);
    char *out = tp_allocate(MOST_ELEMENTS * sizeof(struct tp_particle));
    char *in = tp_allocate(MOST_ELEMENTS * sizeof(struct tp_particle));
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS && tp_size() > 1; i++)
        for (enum tp_form form = TP_STRIDED; form <= TP_STRUCT; form++)
            check(out, in, form, COUNTS[i]);
    tp_release(out);
    tp_release(in);
    tp_finalize();
    return EXIT_SUCCESS;
}
