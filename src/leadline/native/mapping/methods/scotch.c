/**
 * Scotch's static mapping (Pellegrini and Roman 1996), if its library, of 32-bit integers, is
 * installed: found when it is first needed, never linked. Ranks that it puts on a full node go to
 * the first nodes that have room.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "methods/methods.h"
#include "problem/array.h"

enum { MOST_RANKS = 1 << 17, LARGEST_WEIGHT = 10000, BALANCED = 0x0005, DETERMINISTIC = 0 };
/**
 * How far a part may be from its share on the way: Scotch's own value. With 0 it may only swap, and
 * ends with up to a quarter more edges between nodes; what overflows in the end is moved anyway.
 */
static const double IMBALANCE = 0.01;

/** The functions that are used; graphs and the like are memory of a size that the library says. */
struct library {
    int (*numSizeof)(void), (*graphSizeof)(void), (*archSizeof)(void), (*stratSizeof)(void);
    int (*graphInit)(void *), (*archInit)(void *), (*stratInit)(void *);
    void (*graphExit)(void *), (*archExit)(void *), (*stratExit)(void *);
    int (*graphBuild)(void *, int, int, const int *, const int *, const int *, const int *, int,
                      const int *, const int *);
    int (*archTorusX)(void *, int, const int *), (*archMeshX)(void *, int, const int *);
    int (*archSub)(void *, void *, int, const int *), (*archCmpltw)(void *, int, const int *);
    int (*stratGraphMapBuild)(void *, int, int, double);
    int (*graphMap)(void *, const void *, void *, int *);
    void *(*contextAlloc)(void);
    int (*contextInit)(void *), (*contextBindGraph)(void *, void *, void *);
    int (*contextThreadSpawn)(void *, int, const int *), (*contextOptionSetNum)(void *, int, int);
    void (*contextExit)(void *), (*contextRandomSeed)(void *, int), (*contextRandomReset)(void *);
    void (*memFree)(void *);
};

static const struct {
    const char *name;
    size_t place;
} functions[] = {
    {"SCOTCH_numSizeof", offsetof(struct library, numSizeof)},
    {"SCOTCH_graphSizeof", offsetof(struct library, graphSizeof)},
    {"SCOTCH_archSizeof", offsetof(struct library, archSizeof)},
    {"SCOTCH_stratSizeof", offsetof(struct library, stratSizeof)},
    {"SCOTCH_graphInit", offsetof(struct library, graphInit)},
    {"SCOTCH_archInit", offsetof(struct library, archInit)},
    {"SCOTCH_stratInit", offsetof(struct library, stratInit)},
    {"SCOTCH_graphExit", offsetof(struct library, graphExit)},
    {"SCOTCH_archExit", offsetof(struct library, archExit)},
    {"SCOTCH_stratExit", offsetof(struct library, stratExit)},
    {"SCOTCH_graphBuild", offsetof(struct library, graphBuild)},
    {"SCOTCH_archTorusX", offsetof(struct library, archTorusX)},
    {"SCOTCH_archMeshX", offsetof(struct library, archMeshX)},
    {"SCOTCH_archSub", offsetof(struct library, archSub)},
    {"SCOTCH_archCmpltw", offsetof(struct library, archCmpltw)},
    {"SCOTCH_stratGraphMapBuild", offsetof(struct library, stratGraphMapBuild)},
    {"SCOTCH_graphMap", offsetof(struct library, graphMap)},
    {"SCOTCH_contextInit", offsetof(struct library, contextInit)},
    {"SCOTCH_contextExit", offsetof(struct library, contextExit)},
    {"SCOTCH_contextThreadSpawn", offsetof(struct library, contextThreadSpawn)},
    {"SCOTCH_contextOptionSetNum", offsetof(struct library, contextOptionSetNum)},
    {"SCOTCH_contextRandomSeed", offsetof(struct library, contextRandomSeed)},
    {"SCOTCH_contextRandomReset", offsetof(struct library, contextRandomReset)},
    {"SCOTCH_contextBindGraph", offsetof(struct library, contextBindGraph)},
    {"SCOTCH_contextAlloc", offsetof(struct library, contextAlloc)},
    {"SCOTCH_memFree", offsetof(struct library, memFree)},
};

static bool find_all(void *handle, struct library *lib)
{
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        void *function = dlsym(handle, functions[k].name);
        if (!function)
            return false;
        memcpy((char *)lib + functions[k].place, &function, sizeof function);
    }
    return lib->numSizeof() == (int)sizeof(int);
}

/** The library's functions; false: it isn't installed. It needs the one that prints its errors. */
static bool load(struct library *lib)
{
    static const char *const names[] = {"libscotch-7.0.so", "libscotch.so", "libscotch.so.7.0"};
    static const char *const errors[] = {"libscotcherr-7.0.so", "libscotcherr.so",
                                         "libscotcherr.so.7.0"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (!dlopen(errors[k], RTLD_NOW | RTLD_GLOBAL))
            continue;
        void *handle = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
        if (handle && find_all(handle, lib))
            return true;
    }
    return false;
}

/* -- what it is given ---------------------------------------------------------------------------*/

/** One mapping; its objects end in the other order. */
struct mapping {
    const struct library *lib;
    const struct map_problem *problem;
    void *context, *graph, *bound, *whole, *arch, *strategy;
    int *starts, *neighbours, *weights, *vertices, *node_of_rank;
};

static void copy_edges(struct mapping *mapping, bool weighted)
{
    const struct edges *edges = &mapping->problem->edges;
    const int64_t count = edges->starts[mapping->problem->ranks];
    double largest = 0;
    for (int64_t e = 0; e < count; e++)
        largest = weighted && edges->both ? fmax(largest, edges->both[e]) : 0;
    for (int64_t e = 0; e < count; e++) {
        mapping->neighbours[e] = edges->neighbours[e];
        mapping->weights[e] =
            largest > 0 ? 1 + (int)(edges->both[e] / largest * LARGEST_WEIGHT) : 1;
    }
    for (int32_t rank = 0; rank <= mapping->problem->ranks; rank++)
        mapping->starts[rank] = (int)edges->starts[rank];
}

/**
 * A torus or mesh, the last axis first as Scotch numbers them, of which the nodes are a part; where
 * they are all of it, itself, which Scotch maps onto better than onto a part that is the whole.
 */
static bool make_torus(struct mapping *mapping)
{
    const struct map_problem *problem = mapping->problem;
    const struct network *network = &problem->network;
    int dims[MAP_MOST_DIMS], rings = 0, open = 0; /* axes that may be taken for such */
    if (network->vertices > INT32_MAX)
        return false;
    for (int axis = 0; axis < network->ndims; axis++) {
        dims[network->ndims - 1 - axis] = (int)network->dims[axis];
        rings += network->periodic[axis] || network->dims[axis] == 1;
        open += !network->periodic[axis] || network->dims[axis] == 1;
    }
    if (rings < network->ndims && open < network->ndims)
        return false;
    for (int32_t node = 0; node < problem->nodes; node++)
        mapping->vertices[node] = (int)problem->vertex_of_node[node];
    const struct library *lib = mapping->lib;
    int (*const make_whole)(void *, int, const int *) =
        rings == network->ndims ? lib->archTorusX : lib->archMeshX;
    if (problem->nodes == network->vertices)
        return make_whole(mapping->arch, network->ndims, dims) == 0;
    return make_whole(mapping->whole, network->ndims, dims) == 0 &&
           lib->archSub(mapping->arch, mapping->whole, problem->nodes, mapping->vertices) == 0;
}

/** Nodes that are all as far apart, as large as they are: also for trees of several levels. */
static bool make_switch(struct mapping *mapping)
{
    const struct map_problem *problem = mapping->problem;
    for (int32_t node = 0; node < problem->nodes; node++)
        mapping->vertices[node] = problem->node_starts[node + 1] - problem->node_starts[node];
    return mapping->lib->archCmpltw(mapping->arch, problem->nodes, mapping->vertices) == 0;
}

/** One thread and a seed, so that equal problems have equal mappings. */
static bool bind(struct mapping *mapping, uint64_t seed)
{
    const struct library *lib = mapping->lib;
    const int here = 0;
    if (lib->contextThreadSpawn(mapping->context, 1, &here) != 0 ||
        lib->contextOptionSetNum(mapping->context, DETERMINISTIC, 1) != 0)
        return false;
    lib->contextRandomSeed(mapping->context, (int)(seed % INT32_MAX));
    lib->contextRandomReset(mapping->context);
    return lib->contextBindGraph(mapping->context, mapping->graph, mapping->bound) == 0;
}

static bool run(struct mapping *mapping, uint64_t seed)
{
    const struct library *lib = mapping->lib;
    const struct map_problem *problem = mapping->problem;
    const int edges = mapping->starts[problem->ranks];
    const bool torus = problem->network.kind == MAP_TORUS;
    return lib->graphBuild(mapping->graph, 0, problem->ranks, mapping->starts, NULL, NULL, NULL,
                           edges, mapping->neighbours, mapping->weights) == 0 &&
           bind(mapping, seed) && (torus ? make_torus(mapping) : make_switch(mapping)) &&
           lib->stratGraphMapBuild(mapping->strategy, BALANCED, problem->nodes, IMBALANCE) == 0 &&
           lib->graphMap(mapping->bound, mapping->arch, mapping->strategy, mapping->node_of_rank) ==
               0;
}

/* -- and what comes of it -----------------------------------------------------------------------*/

/** Takes the next slot of each rank's node while there are any, then what is left anywhere. */
static void offer_slots(struct contest *contest, const int *node_of_rank, int32_t *slots,
                        int32_t *taken)
{
    const struct map_problem *problem = contest->problem;
    for (int32_t node = 0; node < problem->nodes; node++)
        taken[node] = problem->node_starts[node];
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        const int node = node_of_rank[rank];
        const bool known = node >= 0 && node < problem->nodes;
        slots[rank] = known && taken[node] < problem->node_starts[node + 1]
                          ? problem->slots_by_node[taken[node]++]
                          : -1;
    }
    int32_t node = 0;
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        while (slots[rank] < 0 && taken[node] == problem->node_starts[node + 1])
            node++;
        if (slots[rank] < 0)
            slots[rank] = problem->slots_by_node[taken[node]++];
    }
    contest_offer(contest, slots);
}

static void offer_mapping(struct contest *contest, struct mapping *mapping)
{
    const struct library *lib = mapping->lib;
    int32_t *slots = contest_list(contest, contest->problem->ranks);
    int32_t *taken = contest_list(contest, contest->problem->nodes);
    copy_edges(mapping, contest->metric != MAP_HOPS);
    lib->contextInit(mapping->context);
    lib->graphInit(mapping->graph);
    lib->graphInit(mapping->bound);
    lib->archInit(mapping->whole);
    lib->archInit(mapping->arch);
    lib->stratInit(mapping->strategy);
    if (slots && taken && run(mapping, contest->seed))
        offer_slots(contest, mapping->node_of_rank, slots, taken);
    lib->stratExit(mapping->strategy);
    lib->archExit(mapping->arch);
    lib->archExit(mapping->whole);
    lib->graphExit(mapping->bound);
    lib->graphExit(mapping->graph);
    lib->contextExit(mapping->context);
    free(slots);
    free(taken);
}

static bool make(struct mapping *mapping)
{
    const struct library *lib = mapping->lib;
    const int64_t ranks = mapping->problem->ranks;
    const int64_t edges = mapping->problem->edges.starts[ranks];
    mapping->context = lib->contextAlloc();
    mapping->graph = array_of(1, (size_t)lib->graphSizeof());
    mapping->bound = array_of(1, (size_t)lib->graphSizeof());
    mapping->whole = array_of(1, (size_t)lib->archSizeof());
    mapping->arch = array_of(1, (size_t)lib->archSizeof());
    mapping->strategy = array_of(1, (size_t)lib->stratSizeof());
    mapping->starts = array_of(ranks + 1, sizeof(int));
    mapping->neighbours = array_of(edges, sizeof(int));
    mapping->weights = array_of(edges, sizeof(int));
    mapping->vertices = array_of(mapping->problem->nodes, sizeof(int));
    mapping->node_of_rank = array_of(ranks, sizeof(int));
    return mapping->context && mapping->graph && mapping->bound && mapping->whole &&
           mapping->arch && mapping->strategy && mapping->starts && mapping->neighbours &&
           mapping->weights && mapping->vertices && mapping->node_of_rank;
}

static void unmake(struct mapping *mapping)
{
    if (mapping->context)
        mapping->lib->memFree(mapping->context);
    free(mapping->graph);
    free(mapping->bound);
    free(mapping->whole);
    free(mapping->arch);
    free(mapping->strategy);
    free(mapping->starts);
    free(mapping->neighbours);
    free(mapping->weights);
    free(mapping->vertices);
    free(mapping->node_of_rank);
}

void offer_scotch(struct contest *contest)
{
    const struct map_problem *problem = contest->problem;
    struct library lib;
    if (problem->ranks > MOST_RANKS || problem->nodes < 2 || !load(&lib))
        return;
    struct mapping mapping = {.lib = &lib, .problem = problem};
    if (make(&mapping))
        offer_mapping(contest, &mapping);
    else
        contest->status = MAP_NO_MEMORY;
    unmake(&mapping);
}
