/**
 * What lets the switch be in time: ahead of ranks that poll, never without its memory, on
 * processors that don't sleep deeply, and on each of its cores in turn.
 */
#ifndef LEADLINE_SWITCH_URGENCY_H
#define LEADLINE_SWITCH_URGENCY_H

#include <sched.h>
#include <stdint.h>

/* -- priority and memory ----------------------------------------------------------------------- */

/** What the machine refused, as numbers of errors; 0: granted. */
struct urgency {
    int fifo;   /**< a place ahead of all that isn't urgent */
    int memory; /**< that stays where it is */
};

/** Asks for both. */
struct urgency urgency_ask(void);

/* -- vigil ------------------------------------------------------------------------------------- */

/**
 * Keeps the machine's processors out of deep sleep while frames come: waking from it takes tens of
 * microseconds in a virtual machine, and more the longer nothing came, so that a long frame would
 * seem to take longer than it does.
 */
struct vigil {
    int held; /**< descriptor of what the kernel is told by; -1: it is told nothing */
    int refused;
    int64_t until_ns; /**< where it is held */
};

/** Begins one. What the machine refuses goes to `refused`, as the number of an error. */
struct vigil vigil_begin(int64_t now_ns);

/** A frame has come: on, for some seconds. */
void vigil_prolong(struct vigil *vigil, int64_t now_ns);

/** Lets processors sleep again if the time is over. Returns how long it isn't; INT64_MAX: never. */
int64_t vigil_left_ns(struct vigil *vigil, int64_t now_ns);

void vigil_end(struct vigil *vigil);

/* -- cores ------------------------------------------------------------------------------------- */

/*
 * On which core the switch runs: on each of those that it may use for a while, then on the next.
 *
 * One that goes ahead of all others stays where it is, even beside idle cores, and takes time from
 * whoever is there: messages to that rank would always take longer than those from it, by 30
 * microseconds on two cores, and no two clocks could be told apart by less than half of that.
 *
 * Long frames have more from a switch that stays: a change of cores takes what 200 bytes take at
 * 155 Mbit/s, and there and back each core is passed once anyhow.
 */

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
