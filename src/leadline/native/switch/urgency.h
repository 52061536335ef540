/** What lets the switch be in time: ahead of ranks that poll, and never without its memory. */
#ifndef LEADLINE_SWITCH_URGENCY_H
#define LEADLINE_SWITCH_URGENCY_H

/** What the machine refused, as numbers of errors; 0: granted. */
struct urgency {
    int fifo;   /**< a place ahead of all that isn't urgent */
    int memory; /**< that stays where it is */
};

/** Asks for both. */
struct urgency urgency_ask(void);

#endif
