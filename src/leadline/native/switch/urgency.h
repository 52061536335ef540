/**
 * What lets the switch be in time: ahead of ranks that poll, never without its memory, and on
 * processors that don't sleep deeply.
 */
#ifndef LEADLINE_SWITCH_URGENCY_H
#define LEADLINE_SWITCH_URGENCY_H

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

#endif
