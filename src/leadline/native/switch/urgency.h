/** What lets the switch be in time: ahead of ranks that poll, and never without its memory. */
#ifndef LEADLINE_SWITCH_URGENCY_H
#define LEADLINE_SWITCH_URGENCY_H

/** What the machine refused, as numbers of errors; 0: granted. */
struct urgency {
    int fifo, memory;
};

/** Asks for SCHED_FIFO and for all memory to stay where it is. */
struct urgency urgency_ask(void);

#endif
