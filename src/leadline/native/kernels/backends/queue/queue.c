#include "backends/queue/queue.h"

#include <stdbool.h>

static bool fits(const struct entry *entry, int source, int tag)
{
    return entry->tag == tag &&
           (entry->source == source || entry->source == ANY_SOURCE || source == ANY_SOURCE);
}

void queue_add(struct queue *queue, struct entry *entry)
{
    struct entry **end = queue->length ? queue->end : &queue->first;
    entry->next = NULL;
    *end = entry;
    queue->end = &entry->next;
    queue->length++;
}

struct entry *queue_take(struct queue *queue, int source, int tag)
{
    for (struct entry **at = &queue->first; *at; at = &(*at)->next) {
        struct entry *entry = *at;
        if (!fits(entry, source, tag))
            continue;
        *at = entry->next;
        queue->length--;
        if (!entry->next)
            queue->end = at;
        return entry;
    }
    return NULL;
}
