#include "history.h"

#include <stdlib.h>

bool history_make(int64_t room, struct history *history)
{
    *history =
        (struct history){.room = room, .frames = calloc((size_t)room + 1, sizeof *history->frames)};
    return history->frames != NULL;
}

void history_free(struct history *history)
{
    free(history->frames);
    *history = (struct history){0};
}

void history_add(struct history *history, const struct delivered *delivered)
{
    if (history->room > 0)
        history->frames[history->added++ % history->room] = *delivered;
}
