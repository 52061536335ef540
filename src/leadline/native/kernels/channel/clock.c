#include "channel/clock.h"

enum { TRAINS = 20, READINGS = 200 };

double clock_cost_ns(void)
{
    double least = 1e9;
    for (int train = 0; train < TRAINS; train++) {
        int64_t last = 0;
        const int64_t first = clock_now_ns();
        for (int i = 0; i < READINGS; i++)
            last = clock_now_ns();
        const double mean = (double)(last - first) / READINGS;
        least = mean < least ? mean : least;
    }
    return least;
}
