/**
 * Faults in the STAP pipeline, as LEADLINE_PLANT says, on the last rank:
 *
 *   sample   one of the input is off by its last bit
 *   turn     two of the samples received are exchanged
 *   bit      one of them is off by its last bit, but for the first time
 *   stale    nothing is received but the first time
 *   weight   one is off by a millionth
 *   plain    weights aren't adapted
 *   alarm    a detection where nothing is
 *   report   on rank 0, a detection less than was found
 *   place    on rank 0, a detection at the next gate
 */
#include <string.h>

#include "applications/stap/pipeline.h"
#include "applications/stap/scene.h"
#include "transport/transport.h"

bool __real_scene_take(const struct part *part, struct lanes *rows);
void __real_tp_alltoall(const void *from, void *to, size_t bytes);
void __real_weights_adapt(const struct weights *weights);
void __real_detector_compare(const struct detector *detector, double *statistics);
void __real_tp_gatherv(const void *from, void *to, const struct tp_layout *blocks, int root);

static bool planted(const char *what)
{
    const char *plant = getenv("LEADLINE_PLANT");
    return plant && strcmp(plant, what) == 0;
}

static bool on_last_rank(void)
{
    return tp_rank() == tp_size() - 1;
}

bool __wrap_scene_take(const struct part *part, struct lanes *rows)
{
    const bool made = __real_scene_take(part, rows);
    if (planted("sample") && on_last_rank())
        rows->im[LANES - 1] += 0x1p-27;
    return made;
}

static void flip_last_bit(double *number)
{
    uint64_t bits;
    memcpy(&bits, number, sizeof bits);
    bits ^= 1;
    memcpy(number, &bits, sizeof bits);
}

void __wrap_tp_alltoall(const void *from, void *to, size_t bytes)
{
    static int calls;
    struct lanes *rows = to;
    const bool first = calls++ == 0;
    if (!planted("stale") || first)
        __real_tp_alltoall(from, to, bytes);
    if (planted("bit") && !first && on_last_rank())
        flip_last_bit(rows->re);
    if (planted("turn") && on_last_rank()) {
        const double kept = rows->re[0];
        rows->re[0] = rows->re[1];
        rows->re[1] = kept;
    }
}

/* A small cube's four segments: the fifth problem is a bin's first, which has the first target. */
void __wrap_weights_adapt(const struct weights *weights)
{
    struct lanes *adapted = weights->adapted;
    __real_weights_adapt(weights);
    if (planted("weight"))
        adapted[4 * weights->cube->channels].re[4] *= 1 + 1e-6;
    for (int i = 0; planted("plain") && i < LANES * weights->cube->channels; i++)
        for (int b = 0; b < LANES; b++) {
            const int turn = i % weights->cube->channels * b % weights->cube->channels;
            adapted[i].re[b] = weights->steering[turn];
            adapted[i].im[b] = -weights->steering[weights->cube->channels + turn];
        }
}

void __wrap_detector_compare(const struct detector *detector, double *statistics)
{
    __real_detector_compare(detector, statistics);
    if (planted("alarm"))
        statistics[5] = 41;
}

void __wrap_tp_gatherv(const void *from, void *to, const struct tp_layout *blocks, int root)
{
    struct detection *reports = to;
    __real_tp_gatherv(from, to, blocks, root);
    if (tp_rank() == 0 && planted("report"))
        reports->bin--;
    if (tp_rank() == 0 && planted("place"))
        reports[1].gate++;
}
