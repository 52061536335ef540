#include "queue.h"

#include <stdlib.h>
#include <string.h>

bool queue_make(int64_t numbers, struct queue *queue)
{
    const size_t count = (size_t)numbers + 1;
    queue->count = 0;
    queue->heap = malloc(count * sizeof *queue->heap);
    queue->place = malloc(count * sizeof *queue->place);
    if (queue->place)
        memset(queue->place, -1, count * sizeof *queue->place);
    return queue->heap && queue->place;
}

void queue_free(struct queue *queue)
{
    free(queue->heap);
    free(queue->place);
}

static void settle(struct queue *queue, int32_t place, struct queued item)
{
    queue->heap[place] = item;
    queue->place[item.number] = place;
}

/** Puts `item` at the free `place` or above it. */
static void rise(struct queue *queue, int32_t place, struct queued item)
{
    while (place > 0) {
        const int32_t parent = (place - 1) / 2;
        if (queue->heap[parent].key <= item.key)
            break;
        settle(queue, place, queue->heap[parent]);
        place = parent;
    }
    settle(queue, place, item);
}

/** Puts `item` at the free `place` or below it. */
static void sink(struct queue *queue, int32_t place, struct queued item)
{
    for (int32_t child; (child = 2 * place + 1) < queue->count; place = child) {
        if (child + 1 < queue->count && queue->heap[child + 1].key < queue->heap[child].key)
            child++;
        if (queue->heap[child].key >= item.key)
            break;
        settle(queue, place, queue->heap[child]);
    }
    settle(queue, place, item);
}

void queue_put(struct queue *queue, int32_t number, double key)
{
    const struct queued item = {key, number};
    const int32_t place = queue->place[number];
    if (place < 0)
        rise(queue, queue->count++, item);
    else if (key <= queue->heap[place].key)
        rise(queue, place, item);
    else
        sink(queue, place, item);
}

struct queued queue_take(struct queue *queue)
{
    const struct queued least = queue->heap[0];
    queue->place[least.number] = -1;
    if (--queue->count > 0)
        sink(queue, 0, queue->heap[queue->count]);
    return least;
}
