/**
 * The rates of flows that share resources, max-min fair.
 *
 * Fill all flows alike from 0: at some level a resource is full, its flows stay at that level, the
 * others go on. A flow that comes or goes changes nothing below the level at which a resource of
 * its route fills up, and above it only what shares a resource with a flow whose rate changes. So
 * rates are kept from one moment to the next, and a heap holds the resources to look at, by level.
 */
#ifndef LEADLINE_FLOW_SHARING_H
#define LEADLINE_FLOW_SHARING_H

#include "flow.h"
#include "queue.h"

/** Where a resource stands in whose route. */
struct use {
    int32_t task;
    int32_t hop;
};

/** Flows on resources. A task's limit of its own is a resource too, after all that are given. */
struct sharing {
    const struct flow_graph *graph;
    int64_t *route_starts; /**< [tasks + 1] */
    int32_t *routes;       /**< [route_starts[tasks]] resources */
    int32_t *places;       /**< likewise: where in the resource's uses, while the task is a flow */
    int64_t *use_starts;   /**< [resources + 1] where there is room for each resource's uses */
    struct use *uses;      /**< [use_starts[resources]] */
    int32_t *flows;        /**< [resources] how many of them are there */
    double *level;         /**< [resources] at which it filled up; of meaning while it holds any */
    int32_t *held;         /**< [resources] flows whose bottleneck it is */
    double *rate;          /**< [tasks] B/s; INFINITY: not held by any resource */
    int32_t *bottleneck;   /**< [tasks] what holds its rate; -1: nothing */
    double *before;        /**< [tasks] rate before the last flows came and went; -1: the same */
    int32_t *changed;      /**< [changes] tasks whose rate may have changed */
    int32_t changes;
    int32_t *touched; /**< [touches] resources that flows came to or left */
    bool *is_touched; /**< [resources] */
    int32_t touches;
    struct queue pending; /**< resources to look at, by level */
};

/** Resources without flows. Returns FLOW_OK or FLOW_NO_MEMORY; to be freed in any case. */
int sharing_make(const struct flow_graph *graph, struct sharing *sharing);

void sharing_free(struct sharing *sharing);

/** `task` begins to move its bytes. */
void sharing_add(struct sharing *sharing, int32_t task);

/** `task` has moved its bytes. */
void sharing_remove(struct sharing *sharing, int32_t task);

/** Makes all rates fair again; `changed` are then the flows whose rate isn't `before` any more. */
void sharing_solve(struct sharing *sharing);

/** Forgets what has changed. */
void sharing_accept(struct sharing *sharing);

#endif
