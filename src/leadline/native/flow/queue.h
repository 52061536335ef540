/** Numbers in the order of their keys: a binary heap that knows where each number is. */
#ifndef LEADLINE_FLOW_QUEUE_H
#define LEADLINE_FLOW_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct queued {
    double key;
    int32_t number;
};

struct queue {
    int32_t count;
    struct queued *heap; /**< [count] no item's key is below its parent's, (i - 1) / 2 */
    int32_t *place;      /**< [numbers] where in the heap; -1: not in it */
};

/** An empty queue for 0 to `numbers` - 1. Returns whether there was memory. */
bool queue_make(int64_t numbers, struct queue *queue);

void queue_free(struct queue *queue);

/** Puts `number` in, or moves it, to where `key` belongs. */
void queue_put(struct queue *queue, int32_t number, double key);

/** Takes out the number with the least key; the queue isn't empty. */
struct queued queue_take(struct queue *queue);

/** Whether `number` is in with a key of at most `key`. */
static inline bool queue_has_by(const struct queue *queue, int32_t number, double key)
{
    const int32_t place = queue->place[number];
    return place >= 0 && queue->heap[place].key <= key;
}

#endif
