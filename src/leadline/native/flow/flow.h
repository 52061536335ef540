/**
 * When tasks end that wait for each other and share resources. No MPI inside; every array belongs
 * to the caller; nothing is printed; no clock is read, so that equal calls give equal results.
 *
 * Words. A *task* begins when all tasks that it comes *after* have ended, waits its *delay*
 * (latency, overhead, computing), then moves its *bytes* over the resources of its *route*. While
 * it moves bytes it is a *flow*. A *resource* is what flows share: a link, a bus, a network
 * interface. At every moment rates are max-min fair: no flow can be faster without one that is not
 * faster becoming slower (Bertsekas and Gallager 1992, section 6.5.2).
 */
#ifndef LEADLINE_FLOW_H
#define LEADLINE_FLOW_H

#include <stdint.h>

/** Marks what the shared object shows; all else is hidden. */
#define FLOW_API __attribute__((visibility("default")))

enum flow_status {
    FLOW_OK,
    FLOW_NO_MEMORY,
    FLOW_TOO_LARGE,    /**< tasks and resources together are 2^31 or more */
    FLOW_BAD_CAPACITY, /**< not above 0 */
    FLOW_BAD_CROWD,    /**< a crowd below 0, or what it multiplies by not above 0 and finite */
    FLOW_BAD_DELAY,    /**< below 0, infinite or not a number */
    FLOW_BAD_BYTES,    /**< below 0, infinite or not a number */
    FLOW_BAD_MOST,     /**< not above 0 */
    FLOW_BAD_ROUTE,    /**< not a resource, or one that stands there twice; starts that decrease */
    FLOW_BAD_AFTER,    /**< not a task; starts that decrease */
    FLOW_CIRCLE,       /**< tasks wait for each other in a circle */
    FLOW_STOPPED       /**< who watches wants no more */
};

/** What went wrong, as half a sentence. Never NULL. */
FLOW_API const char *flow_status_text(int status);

struct flow_graph {
    int64_t resources;
    const double *capacity; /**< [resources] B/s; INFINITY: no limit */
    const int64_t *crowd;   /**< [resources] with more flows than that the capacity changes; NULL:
                               no resource's does */
    const double *crowded;  /**< [resources] what it is multiplied by then; NULL with crowd */
    int64_t tasks;
    const double *delay_s;       /**< [tasks] */
    const double *bytes;         /**< [tasks] 0: the task ends after its delay */
    const double *most;          /**< [tasks] B/s that the flow has at most; INFINITY: no limit */
    const int64_t *route_starts; /**< [tasks + 1] where each task's route begins, from 0 */
    const int64_t *routes;       /**< [route_starts[tasks]] resources, each once a route */
    const int64_t *after_starts; /**< [tasks + 1] where each task's list begins, from 0 */
    const int64_t *after;        /**< [after_starts[tasks]] tasks that end before it begins */
};

/** Is told now and then how many tasks have ended; sets `go_on`, which holds 0, to go on. */
typedef void flow_watch(int64_t ended, int *go_on);

/**
 * When each task begins and ends, s from 0, to `begun` and `ended` ([tasks]); times that differ by
 * a relative 1e-9 are one. NAN: never, or not yet; the status is then FLOW_CIRCLE or FLOW_STOPPED.
 * `watch` may be NULL.
 *
 * Fails with any status; with one of FLOW_BAD_* the number of the resource or task that is wrong
 * goes to `culprit`, and nothing to the others.
 */
FLOW_API int flow_run(const struct flow_graph *graph, flow_watch *watch, double *begun,
                      double *ended, int64_t *culprit);

#endif
