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

/* -- charges ----------------------------------------------------------------------------------- */

/* x_{i+1} = a x_i mod 2^46, from x_0 = 314159265 with a = 5^13; point i = x + n (y + n z) has
   x_{i+1}. Its period, 2^44, is longer than any grid here, so that no two points have the same. */

static const uint64_t seed = 314159265, factor = 1220703125, modulus_mask = (1ULL << 46) - 1;

struct candidate {
    uint64_t key; /* the larger, the better */
    size_t point;
};

/** The ten best so far, the best first. */
struct ranking {
    struct candidate best[CHARGES_OF_A_SIGN];
    int count;
};

static void insert(struct ranking *ranking, uint64_t key, size_t point)
{
    const int last = CHARGES_OF_A_SIGN - 1;
    int place = ranking->count < CHARGES_OF_A_SIGN ? ranking->count++ : last;
    for (; place > 0 && ranking->best[place - 1].key < key; place--)
        ranking->best[place] = ranking->best[place - 1];
    ranking->best[place] = (struct candidate){key, point};
}

static inline void consider(struct ranking *ranking, uint64_t key, size_t point)
{
    if (ranking->count < CHARGES_OF_A_SIGN || key > ranking->best[CHARGES_OF_A_SIGN - 1].key)
        insert(ranking, key, point);
}

static struct charge charge_at(size_t point, int level, double value)
{
    const size_t mask = ((size_t)1 << level) - 1;
    return (struct charge){{point & mask, point >> level & mask, point >> 2 * level}, value};
}

void charges_find(int level, struct charge charges[CHARGES])
{
    struct ranking largest = {.count = 0}, smallest = {.count = 0};
    const size_t points = (size_t)1 << 3 * level;
    uint64_t number = seed;
    for (size_t point = 0; point < points; point++) {
        number = number * factor & modulus_mask;
        consider(&largest, number, point);
        consider(&smallest, modulus_mask - number, point);
    }
    for (int i = 0; i < CHARGES_OF_A_SIGN; i++) {
        charges[i] = charge_at(largest.best[i].point, level, 1);
        charges[CHARGES_OF_A_SIGN + i] = charge_at(smallest.best[i].point, level, -1);
    }
}
