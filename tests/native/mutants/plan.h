/** Which fault is planted in which calls of what operation, and what is written of them. */
#ifndef LEADLINE_MUTANTS_PLAN_H
#define LEADLINE_MUTANTS_PLAN_H

#include <stdio.h>

#include "channel/progress.h"
#include "mutants.h"

enum when { ALWAYS, LATER, TIMED };

/** What the command asked for. */
struct plan {
    enum fault fault;
    char op[32];
    int rank;
    enum when when;
    long every, at;
};
extern struct plan plan;

/** That the slice is in. */
extern enum phase phase;

/** Whether it is the time to strike. */
bool plan_is_time(void);

/** Counts a strike, if contents are known now. */
void plan_count_strike(void);

/** Forgets all calls. */
void calls_forget(void);

/** Writes how often each operation was called in timed repetitions. */
void calls_log(FILE *log, long slice);

#endif
