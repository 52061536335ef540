#include "engine/prepare/forms.h"

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
    cell->span_bytes = payload_span(pattern->form, cell->size_bytes);
    if (pattern->form == TP_CONTIGUOUS)
        return true;
    tp_datatype_free(kept);
    kept = tp_datatype_make(pattern->form, cell->size_bytes / pattern->granularity);
    cell->datatype = kept;
    return pack_room(cell->size_bytes, &cell->packed);
}
