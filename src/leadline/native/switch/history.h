/** The times of the last frames delivered. */
#ifndef LEADLINE_SWITCH_HISTORY_H
#define LEADLINE_SWITCH_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

struct delivered {
    int64_t arrival_ns; /**< when the switch had it from the sender */
    int64_t start_ns;   /**< when its first bit was on the receiver's line */
    int64_t end_ns;     /**< when that line was free again */
    int64_t due_ns;     /**< when the receiver was to have it */
    int64_t written_ns; /**< when the switch gave it to the receiver */
    int32_t bytes;      /**< from the destination's address on, without a check sequence */
    int32_t from, to;   /**< ports, from 0 */
};

struct history {
    int64_t room;             /**< 0: nothing is kept */
    int64_t added;            /**< since the start */
    struct delivered *frames; /**< [room] number n is at n % room */
};

/** Returns whether there was memory for the last `room` frames. */
bool history_make(int64_t room, struct history *history);

void history_free(struct history *history);

void history_add(struct history *history, const struct delivered *delivered);

/** The number of the oldest that is still there. */
static inline int64_t history_first(const struct history *history)
{
    return history->added > history->room ? history->added - history->room : 0;
}

/** Frame `number`, from history_first up to before `added`. */
static inline const struct delivered *history_at(const struct history *history, int64_t number)
{
    return &history->frames[number % history->room];
}

#endif
