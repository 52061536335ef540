/**
 * What a pattern can be asked for besides its size: a word out of a small set, the dimensions of a
 * grid, a number or a time. A new option is a value here, a row in options.c, and its bit in the
 * patterns that take it; the front-end learns of it from `--describe`.
 */
#ifndef LEADLINE_OPTIONS_H
#define LEADLINE_OPTIONS_H

#include <stdint.h>

enum option_key {
    OPTION_OP,   /* enum tp_op */
    OPTION_TYPE, /* enum tp_type */
    OPTION_ROOT,
    OPTION_COUNTS,
    OPTION_OVERLAP,
    OPTION_WORK, /* computation's length; 0: as long as the operation's */
    OPTION_CONTENTION,
    OPTION_DEPTH, /* messages that wait unreceived while repetitions run */
    OPTION_GRID,  /* as many vertices as ranks */
    OPTION_RINGS,
    OPTION_AXES,
    OPTION_EDGES,
    OPTION_NEIGHBOURS,
    OPTION_STEPS,
    OPTION_CLASS,
    OPTION_CUBE,
    OPTIONS,
};

/** Words of OPTION_ROOT: one rank in all repetitions, or each in turn. */
enum root_word { ROOT_FIXED, ROOT_ROTATING };

/** Words of OPTION_COUNTS: blocks of equal length, or in proportion to the rank plus one. */
enum counts_word { COUNTS_EVEN, COUNTS_SKEWED };

/**
 * Words of OPTION_OVERLAP: the operation started and waited for; with computation in between;
 * with tests of the operation during the computation; the same computation alone.
 */
enum overlap_word { OVERLAP_NONE, OVERLAP_UNTESTED, OVERLAP_TESTED, OVERLAP_COMPUTING };

/** Words of OPTION_RINGS: whether the ends of an axis are neighbours, as usual, or not. */
enum rings_word { RINGS_PERIODIC, RINGS_OPEN };

/** Words of OPTION_AXES: messages go along the first axis of a grid, or along all. */
enum axes_word { AXES_FIRST, AXES_ALL };

/** Words of OPTION_EDGES: whether the ends of an axis are no neighbours, as usual, or are. */
enum edges_word { EDGES_OPEN, EDGES_PERIODIC };

/** Words of OPTION_NEIGHBOURS: along one axis each, or along several at a time too. */
enum neighbours_word { NEIGHBOURS_FACES, NEIGHBOURS_CORNERS };

/** Words of OPTION_STEPS: an axis' messages wait for those of the axis before, or none does. */
enum steps_word { STEPS_BY_AXIS, STEPS_AT_ONCE };

/** Words of OPTION_CLASS: of the NAS benchmarks, from the smallest up. */
enum class_word { CLASS_S, CLASS_W, CLASS_A, CLASS_B, CLASS_C, CLASSES };

/** Words of OPTION_CUBE: of what an antenna took in. */
enum cube_word { CUBE_SMALL, CUBE_MEDIUM, CUBE_LARGE, CUBES };

enum { MOST_AXES = 4 };

/** The lengths of a grid along its axes, as they were given. */
struct dims {
    int axes; /* 0: not given, the pattern has dimensions of its own */
    int lengths[MOST_AXES];
};

enum option_kind { OPTION_WORD, OPTION_DIMS, OPTION_NUMBER, OPTION_TIME };

struct option {
    const char *key; /* of the command stream */
    enum option_kind kind;
    const char *const *words;   /* until NULL, the default first; none twice in a pattern */
    int64_t least, most, usual; /* of a number; of a time, in ns; least and most axes of a grid */
    const char *needs;          /* key of the option whose default leaves this one without effect */
};

extern const struct option options[OPTIONS];

#endif
