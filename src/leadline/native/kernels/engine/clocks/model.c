#include "engine/clocks/model.h"

static const double least_deviations = 2;

void readings_add(struct readings *readings, struct reading next)
{
    readings->last[readings->count++ % MOST_READINGS] = next;
}

static long kept(const struct readings *readings)
{
    return readings->count < MOST_READINGS ? readings->count : MOST_READINGS;
}

int64_t readings_shortest_ns(const struct readings *readings)
{
    int64_t shortest = kept(readings) ? INT64_MAX : 0;
    for (long i = 0; i < kept(readings); i++)
        if (readings->last[i].round_trip_ns < shortest)
            shortest = readings->last[i].round_trip_ns;
    return shortest;
}

/* What this clock shows more than at the last reading, beyond what the common one does. */
static double gained_ns(struct reading reading, struct reading last)
{
    return (double)((reading.here_ns - last.here_ns) - (reading.common_ns - last.common_ns));
}

/* What a round trip takes longer than the shortest, it may have waited one way. */
static double weight(struct reading reading, int64_t shortest_ns)
{
    const double waited = (double)(reading.round_trip_ns - shortest_ns) / 2;
    const double error = (double)reading.error_ns + waited;
    return 1 / (error * error);
}

/** Weighted sums over readings, the last one's moment and offset being 0. */
struct sums {
    double weights, times, offsets, squares, products;
};

static struct sums sums_of(const struct readings *readings, struct reading last)
{
    struct sums sums = {0};
    const int64_t shortest = readings_shortest_ns(readings);
    for (long i = 0; i < kept(readings); i++) {
        const struct reading one = readings->last[i];
        const double w = weight(one, shortest), offset = gained_ns(one, last);
        const double time = (double)(one.common_ns - last.common_ns);
        sums.weights += w;
        sums.times += w * time;
        sums.offsets += w * offset;
        sums.squares += w * time * time;
        sums.products += w * time * offset;
    }
    return sums;
}

/* The offset and what it gains stay far below 2^53 ns, 104 days. */
static int64_t rounded(double ns)
{
    return (int64_t)(ns < 0 ? ns - 0.5 : ns + 0.5);
}

static double within(double value, double most)
{
    return value > most ? most : value < -most ? -most : value;
}

struct model model_of(const struct readings *readings)
{
    if (readings->count == 0)
        return (struct model){0};
    const struct reading last = readings->last[(readings->count - 1) % MOST_READINGS];
    const struct model latest = {last.here_ns, last.common_ns, 0};
    const struct sums sums = sums_of(readings, last);
    const double spread = sums.squares - sums.times * sums.times / sums.weights;
    if (!(spread > 0))
        return latest;
    const double drift = (sums.products - sums.times * sums.offsets / sums.weights) / spread;
    if (drift * drift * spread < least_deviations * least_deviations)
        return latest;
    const double offset = (sums.offsets - drift * sums.times) / sums.weights;
    const double most = (double)last.round_trip_ns / 2;
    return (struct model){
        last.here_ns + rounded(within(offset, most)),
        last.common_ns,
        drift,
    };
}

int64_t model_common_ns(const struct model *model, int64_t here_ns)
{
    const int64_t since = here_ns - model->here_ns;
    const double gained = (double)since * model->drift / (1 + model->drift);
    return model->common_ns + since - rounded(gained);
}

int64_t model_here_ns(const struct model *model, int64_t common_ns)
{
    const int64_t since = common_ns - model->common_ns;
    return model->here_ns + since + rounded((double)since * model->drift);
}
