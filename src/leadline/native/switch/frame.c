#include "frame.h"

#include <stdlib.h>
#include <string.h>

struct frame *frame_make(const void *octets, int32_t bytes)
{
    struct frame *frame = malloc(sizeof *frame + (size_t)bytes);
    if (!frame)
        return NULL;
    *frame = (struct frame){.bytes = bytes, .holders = 1, .to = EVERYONE};
    memcpy(frame->octets, octets, (size_t)bytes);
    return frame;
}

void frame_release(struct frame *frame)
{
    if (--frame->holders <= 0)
        free(frame);
}
