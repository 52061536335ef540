#include "patterns/options.h"

#define WORDS(...) OPTION_WORD, .words = ((const char *const[]){__VA_ARGS__, 0})

const struct option options[OPTIONS] = {
    [OPTION_OP] = {"op", WORDS("sum", "max", "land")},
    [OPTION_TYPE] = {"type", WORDS("double", "int64")},
    [OPTION_ROOT] = {"root", WORDS("fixed", "rotating")},
    [OPTION_COUNTS] = {"counts", WORDS("even", "skewed")},
    [OPTION_OVERLAP] = {"overlap", WORDS("idle", "overlapped", "tested", "computing")},
    [OPTION_WORK] = {"work", OPTION_TIME, .least = 1000, .most = 100000000, .needs = "overlap"},
    [OPTION_CONTENTION] = {"contention", WORDS("uncontended", "contended")},
    [OPTION_DEPTH] = {"depth", OPTION_NUMBER, .least = 1, .most = 1024, .usual = 1},
    [OPTION_GRID] = {"grid", OPTION_DIMS, .least = 1, .most = MOST_AXES},
    [OPTION_RINGS] = {"rings", WORDS("periodic", "open")},
    [OPTION_AXES] = {"axes", WORDS("first", "all")},
    [OPTION_EDGES] = {"edges", WORDS("open", "periodic")},
    [OPTION_NEIGHBOURS] = {"neighbours", WORDS("faces", "corners")},
    [OPTION_STEPS] = {"steps", WORDS("by_axis", "at_once")},
    [OPTION_CLASS] = {"class", WORDS("S", "W", "A", "B", "C")},
    [OPTION_CUBE] = {"cube", WORDS("small", "medium", "large")},
};
