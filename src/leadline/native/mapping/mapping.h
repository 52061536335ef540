/**
 * Which rank goes on which processor. No MPI inside; every array belongs to the caller and is
 * copied; nothing is printed; no clock is read, so that equal calls give equal results everywhere.
 *
 * Words. A *pattern* says which ranks exchange how much: a Cartesian grid or any directed graph. A
 * *network* has *vertices* (nodes) a number of *hops* apart. A *machine* is a network with *slots*,
 * each on a vertex; slots on one vertex are the cores of one node. A *permutation* gives each rank
 * its slot; the identity gives rank i slot i.
 *
 * Functions that can fail return MAP_OK or another map_status, and then have written nothing
 * through their output arguments, which come last.
 */
#ifndef LEADLINE_MAPPING_H
#define LEADLINE_MAPPING_H

#include <stdint.h>

/** Marks what the shared object shows; all else is hidden. */
#define MAP_API __attribute__((visibility("default")))

enum { MAP_MOST_DIMS = 32 };

/** Values and bounds that differ by a smaller part are equal: sums of weights are rounded. */
#define MAP_ROUNDING 2e-9

enum map_status {
    MAP_OK,
    MAP_NO_MEMORY,
    MAP_BAD_DIMS,        /**< no axis, more than MAP_MOST_DIMS, or a length below 1 */
    MAP_TOO_LARGE,       /**< 2^31 ranks or edges, 2^56 vertices, or more */
    MAP_BAD_WEIGHT,      /**< negative or not a number; or it or a sum is infinite */
    MAP_BAD_GRAPH,       /**< starts that decrease, or a neighbour that is no rank */
    MAP_BAD_SLOT,        /**< a slot on no vertex of the network */
    MAP_BAD_SWITCH,      /**< a switch not numbered below the vertices, or under two others */
    MAP_MISFIT,          /**< as many ranks as slots are needed */
    MAP_BAD_PERMUTATION, /**< a slot that is none, or taken twice */
    MAP_NO_METHOD,       /**< no method or metric has this number */
    MAP_NOT_APPLICABLE   /**< the method knows nothing of such a pattern or machine */
};

/** What went wrong, as half a sentence. Never NULL. */
MAP_API const char *map_status_text(int status);

/* -- what is given ----------------------------------------------------------------------------- */

enum map_pattern_kind { MAP_GRID, MAP_GRAPH };

/** Ranks of a grid are row-major, the last axis fastest. */
struct map_pattern {
    int32_t kind;               /**< enum map_pattern_kind; what the other kind needs is ignored */
    int32_t ndims;              /**< grid: number of axes, 1 to MAP_MOST_DIMS */
    const int64_t *dims;        /**< grid: [ndims] lengths */
    const uint8_t *periodic;    /**< grid: [ndims] 1: the axis is a ring; of length 2 it has both
                                   neighbours, of length 1 none */
    const double *weights;      /**< grid: [2 ndims] sent to the lower and to the upper neighbour */
    int32_t diagonals;          /**< grid: 1: the full stencil; weights multiply along a diagonal */
    int64_t ranks;              /**< graph: number of ranks */
    const int64_t *starts;      /**< graph: [ranks + 1] where each rank's edges begin */
    const int64_t *neighbours;  /**< graph: [starts[ranks]] to whom */
    const double *edge_weights; /**< graph: [starts[ranks]] how much; 0 is no edge */
};

enum map_network_kind { MAP_TORUS, MAP_TREE };

struct map_machine {
    int32_t kind;             /**< enum map_network_kind; what the other kind needs is ignored */
    int32_t ndims;            /**< torus: number of axes, 1 to MAP_MOST_DIMS */
    const int64_t *dims;      /**< torus: [ndims] lengths; vertices are row-major */
    const uint8_t *periodic;  /**< torus: [ndims] 0: the axis is open, as all are in a mesh */
    int64_t vertices;         /**< tree: number of vertices */
    int32_t levels;           /**< tree: number of levels of switches, 1 to MAP_MOST_DIMS */
    const int64_t *ancestors; /**< tree: [vertices][levels] switch at each level, lowest first;
                                 vertices with none in common are as far as if a root joined them */
    int64_t slots;            /**< number of slots */
    const int64_t *vertex_of_slot; /**< [slots] */
};

/* -- a problem --------------------------------------------------------------------------------- */

/** A pattern on a machine, checked and indexed. Constant once made: threads may share it. */
struct map_problem;

/**
 * Checks and copies. `*problem` is to be given to map_problem_free.
 * Fails with any status up to MAP_MISFIT.
 */
MAP_API int map_problem_make(const struct map_pattern *pattern, const struct map_machine *machine,
                             struct map_problem **problem);

/** Frees `problem`, which may be NULL. */
MAP_API void map_problem_free(struct map_problem *problem);

/**
 * Who sends how much to whom: rank r sends `weights[k]` to rank `neighbours[k]` for k from
 * `starts[r]` to before `starts[r + 1]` (`starts` is [ranks + 1]); 0 where it receives only. With
 * `neighbours` NULL only `starts` is written.
 */
MAP_API void map_edges(const struct map_problem *problem, int64_t *starts, int64_t *neighbours,
                       double *weights);

/* -- scoring ----------------------------------------------------------------------------------- */

/** Routes are shortest; in a torus along the first axis, then the second; ties go up. */
struct map_metrics {
    double average_hops;    /**< over unordered pairs of ranks that exchange anything; 0 if none */
    double max_hops;        /**< over the same */
    double max_link_load;   /**< largest sum of weights routed over one directed link */
    double hop_bytes;       /**< sum over directed edges of weight times hops */
    double internode_edges; /**< sum of the weights of directed edges between different nodes */
    double max_node_edges;  /**< largest part of that sum that leaves one node */
};

enum map_metric { MAP_HOPS, MAP_LOAD, MAP_INTERNODE, MAP_HOP_BYTES, MAP_METRICS };

/** Scores `permutation` ([ranks]). Fails with MAP_BAD_PERMUTATION or MAP_NO_MEMORY. */
MAP_API int map_evaluate(const struct map_problem *problem, const int64_t *permutation,
                         struct map_metrics *metrics);

/**
 * The number of directed links. In a torus link 2 (ndims v + axis) leads from vertex v down that
 * axis, the next one up. In a tree they come level by level: each vertex (then each switch) of a
 * level has its link up and its link down, 2 v and 2 v + 1 after those of the levels below.
 */
MAP_API int64_t map_links(const struct map_problem *problem);

/** Weights routed over each link, to `loads` ([map_links]). Fails as map_evaluate does. */
MAP_API int map_link_loads(const struct map_problem *problem, const int64_t *permutation,
                           double *loads);

/**
 * A value of `metric` that no permutation is below: 0 or more.
 * Fails with MAP_NO_METHOD or MAP_NO_MEMORY.
 */
MAP_API int map_lower_bound(const struct map_problem *problem, int metric, double *bound);

/** Whether `value` is as low as `bound`, but for rounding; never where the bound is NaN. */
MAP_API int map_reaches(double value, double bound);

/**
 * The same as map_lower_bound for MAP_HOP_BYTES of another grid of as many ranks on the same
 * machine, without making its edges: to tell in no time which of many grids are worth mapping.
 * NaN where it has diagonals or too many axes to tell.
 * Fails with MAP_BAD_DIMS, MAP_TOO_LARGE, MAP_BAD_WEIGHT, MAP_MISFIT or MAP_NO_MEMORY.
 */
MAP_API int map_grid_traffic(const struct map_problem *problem, const struct map_pattern *grid,
                             double *bound);

/**
 * Hop-bytes that a mapping of another grid of as many ranks is known to have without its making:
 * the best folding's, or that of bricks mapped onto nodes; infinite where there is neither.
 * Fails as map_grid_traffic does.
 */
MAP_API int map_grid_forecast(const struct map_problem *problem, const struct map_pattern *grid,
                              double *traffic);

/* -- routes ------------------------------------------------------------------------------------ */

/** Messages between vertices of a network, whose machine needs no slots. */
struct map_messages {
    int64_t count;
    const int64_t *sources;      /**< [count] vertices */
    const int64_t *destinations; /**< [count] vertices */
    const uint32_t *down;        /**< [count] torus: bit k: down along axis k, where both ways are
                                    as long; NULL: up along all */
};

/** The number of directed links of a network, as map_links counts them. Fails as its check does. */
MAP_API int map_network_links(const struct map_machine *machine, int64_t *links);

/**
 * The links that each message passes, in order, numbered as map_links says: those of message i are
 * `links[starts[i]]` to before `links[starts[i + 1]]`, none where it stays on its vertex. With
 * `links` NULL only `starts` ([count + 1]) is written.
 * Fails with any status of map_problem_make's that concerns the machine, or MAP_BAD_SLOT.
 */
MAP_API int map_route(const struct map_machine *machine, const struct map_messages *messages,
                      int64_t *starts, int64_t *links);

/* -- mapping ----------------------------------------------------------------------------------- */

/** Methods are numbered from 0, the identity. Returns NULL beyond the last. */
MAP_API const char *map_method_name(int method);

/**
 * The best permutation by `metric` of those that `method` knows (ties: the first), to
 * `permutation` ([ranks]); may be worse than the identity.
 * Fails with MAP_NO_METHOD, MAP_NOT_APPLICABLE or MAP_NO_MEMORY.
 */
MAP_API int map_by(const struct map_problem *problem, int method, int metric, int64_t steps,
                   uint64_t seed, int64_t *permutation);

/**
 * The best permutation by `metric` that all methods together find, to `permutation` ([ranks]), and
 * the number of the one that found it; never worse than the identity by `metric`.
 * `steps` swaps are tried in the end (a step that routes counts for several), `seed` chooses which.
 * Fails with MAP_NO_METHOD or MAP_NO_MEMORY.
 */
MAP_API int map_best(const struct map_problem *problem, int metric, int64_t steps, uint64_t seed,
                     int64_t *permutation, int32_t *method);

/**
 * The same with an end: once edges and ranks have been looked at `effort` times, about, methods
 * that are still to come are left out. Those that know most of a grid's structure come first; the
 * first of all, the identity, is never left out.
 */
MAP_API int map_within(const struct map_problem *problem, int metric, int64_t steps, uint64_t seed,
                       int64_t effort, int64_t *permutation, int32_t *method);

#endif
