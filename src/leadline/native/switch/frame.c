#include "frame.h"

#include <stdlib.h>
#include <string.h>

/* -- frames ------------------------------------------------------------------------------------ */

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

/* -- deliveries -------------------------------------------------------------------------------- */

enum { FIRST_ROOM = 1024 };

static bool is_before(const struct delivery *one, const struct delivery *other)
{
    return one->due_ns != other->due_ns ? one->due_ns < other->due_ns : one->order < other->order;
}

static bool has_room(struct agenda *agenda)
{
    if (agenda->count < agenda->room)
        return true;
    const int64_t room = agenda->room ? 2 * agenda->room : FIRST_ROOM;
    struct delivery *heap = realloc(agenda->heap, (size_t)room * sizeof *heap);
    if (!heap)
        return false;
    agenda->heap = heap;
    agenda->room = room;
    return true;
}

bool agenda_add(struct agenda *agenda, struct delivery delivery)
{
    if (!has_room(agenda))
        return false;
    delivery.order = agenda->added++;
    int64_t place = agenda->count++;
    for (; place > 0; place = (place - 1) / 2) {
        if (!is_before(&delivery, &agenda->heap[(place - 1) / 2]))
            break;
        agenda->heap[place] = agenda->heap[(place - 1) / 2];
    }
    agenda->heap[place] = delivery;
    return true;
}

struct delivery agenda_take(struct agenda *agenda)
{
    struct delivery *heap = agenda->heap;
    const struct delivery earliest = heap[0], last = heap[--agenda->count];
    int64_t place = 0;
    for (int64_t child; (child = 2 * place + 1) < agenda->count; place = child) {
        if (child + 1 < agenda->count && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &last))
            break;
        heap[place] = heap[child];
    }
    heap[place] = last;
    return earliest;
}

static int by_start(const void *one, const void *other)
{
    const struct delivery *first = one, *second = other;
    const int64_t start = first->start_ns, other_start = second->start_ns;
    const bool is_later = start != other_start ? start > other_start : first->order > second->order;
    return is_later ? 1 : -1;
}

static int by_due(const void *one, const void *other)
{
    return is_before(one, other) ? -1 : 1;
}

void agenda_revise(struct agenda *agenda, void (*change)(struct delivery *delivery, void *what),
                   void *what)
{
    if (agenda->count == 0)
        return;
    qsort(agenda->heap, (size_t)agenda->count, sizeof *agenda->heap, by_start);
    for (int64_t i = 0; i < agenda->count; i++)
        change(&agenda->heap[i], what);
    qsort(agenda->heap, (size_t)agenda->count, sizeof *agenda->heap, by_due); /* which is a heap */
}

void agenda_free(struct agenda *agenda)
{
    free(agenda->heap);
    *agenda = (struct agenda){0};
}
