/**
 * On which core the switch runs: on each of those that it may use for a while, then on the next.
 *
 * One that goes ahead of all others stays where it is, even beside idle cores, and takes time from
 * whoever is there: messages to that rank would always take longer than those from it, by 30
 * microseconds on two cores, and no two clocks could be told apart by less than half of that.
 *
 * Long frames have more from a switch that stays: a change of cores takes what 200 bytes take at
 * 155 Mbit/s, and there and back each core is passed once anyhow.
 */
#ifndef LEADLINE_SWITCH_CORES_H
#define LEADLINE_SWITCH_CORES_H

#include <sched.h>
#include <stdint.h>

struct cores {
    cpu_set_t usable;
    size_t own;       /**< the one that it is on */
    int64_t since_ns; /**< when its turn there began */
};

/** Starts on whatever core the process is on. */
struct cores cores_begin(int64_t now_ns);

/** Begins the turn anew if the frame of so many bytes that was delivered is a long one. */
void cores_mind(struct cores *cores, int64_t now_ns, int32_t bytes);

/** Goes to the next core if the turn is over, which takes some 10 us. */
void cores_take_turns(struct cores *cores, int64_t now_ns);

#endif
