/**
 * Ranks that take turns, so that a script always comes to the same: while a command is obeyed one
 * rank runs, and gives its turn to the next where it would give its core away (sched_yield) or
 * sleep (a futex). Time is a count of all ranks' readings of the clock.
 */
#ifndef LEADLINE_MUTANTS_TURNS_H
#define LEADLINE_MUTANTS_TURNS_H

/** Begins a command: returns when all ranks have, and this one has its turn. */
void turns_begin(void);

/** Ends it for this rank. */
void turns_end(void);

/** Lets the other ranks that obey the command run until they wait. */
void turns_pass(void);

#endif
