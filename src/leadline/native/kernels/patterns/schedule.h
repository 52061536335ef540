/** Who exchanges a message with whom on a grid, and in which phase: made before the clock runs. */
#ifndef LEADLINE_SCHEDULE_H
#define LEADLINE_SCHEDULE_H

#include "patterns/pattern.h"

/**
 * A direction on a grid: a digit for each axis, to the base 3, the last axis' the lowest; 0 is a
 * step down the axis, 1 stays, 2 is a step up.
 */
enum { MOST_DIRECTIONS = 81, MOST_PHASES = MOST_AXES };

/** A message to a neighbour, and the one that comes from it. */
struct leg {
    int peer;
    int direction;         /* in which the peer lies, and this rank's message goes */
    int opposite;          /* in which the peer's message comes */
    int send_tag, its_tag; /* a message's tag tells its direction */
    size_t offset;         /* of both in the memory of a repetition's messages */
};

/** What one rank does in each repetition; phases without a leg are left out. */
struct schedule {
    int phases, legs;
    int end[MOST_PHASES]; /* of each phase: the leg after its last */
    struct leg leg[MOST_DIRECTIONS];
};

/** Makes `schedule` one without legs. */
void schedule_clear(struct schedule *schedule);

/** Adds a leg in `direction`, unless the grid of `cell` ends there or has length 1. */
void schedule_add(struct schedule *schedule, const struct cell *cell, int direction, bool periodic);

/** Lets what is added from now on wait for what was added so far. */
void schedule_end_phase(struct schedule *schedule);

/** How many directions there are, with the one that stays where it is, in the middle. */
int directions_on(const struct dims *dims);

/** One step down, or up, along `axis`. */
int direction_down(const struct dims *dims, int axis);
int direction_up(const struct dims *dims, int axis);

/** How many axes `direction` has a step along. */
int direction_steps(int direction, int axes);

/** The last axis that it has a step along; -1: none. */
int direction_last_axis(int direction, int axes);

/** This rank's place along the first axis of the grid. */
int first_coordinate(const struct cell *cell);

#endif
