#include "applications/mg/classes.h"

#define SMALL_PROBLEMS {-3.0 / 8, 1.0 / 32, -1.0 / 64}
#define LARGE_PROBLEMS {-3.0 / 17, 1.0 / 33, -1.0 / 61}

const double norm_tolerance = 1e-8;

const struct grid_class grid_classes[CLASSES] = {
    [CLASS_S] = {5, SMALL_PROBLEMS, 0.5307707005734e-04},
    [CLASS_W] = {7, SMALL_PROBLEMS, 0.6467329375339e-05},
    [CLASS_A] = {8, SMALL_PROBLEMS, 0.2433365309069e-05},
    [CLASS_B] = {8, LARGE_PROBLEMS, 0.1800564401355e-05},
    [CLASS_C] = {9, LARGE_PROBLEMS, 0.5706732285740e-06},
};
