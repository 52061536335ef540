#include "engine/prepare/forms.h"

size_t form_span(enum tp_form form, size_t bytes)
{
    switch (form) {
    case TP_STRIDED:
        return bytes * TP_STRIDE;
    case TP_STRUCT:
        return bytes / TP_STRUCT_PAYLOAD * sizeof(struct tp_particle);
    default:
        return bytes;
    }
}

static bool pack_room(size_t bytes, char **packed)
{
    static char *memory;
    static size_t room;
    if (bytes > room) {
        tp_release(memory);
        memory = tp_allocate(bytes);
        room = memory ? bytes : 0;
    }
    *packed = memory;
    return memory != NULL;
}

bool forms_arrange(const struct params *params, struct cell *cell)
{
    static struct tp_datatype *kept; /* lives until the next slice */
    const struct pattern *pattern = params->pattern;
    cell->form = pattern->form;
    cell->span_bytes = form_span(pattern->form, cell->size_bytes);
    if (pattern->form == TP_CONTIGUOUS)
        return true;
    tp_datatype_free(kept);
    kept = tp_datatype_make(pattern->form, cell->size_bytes / pattern->granularity);
    cell->datatype = kept;
    return pack_room(cell->size_bytes, &cell->packed);
}
