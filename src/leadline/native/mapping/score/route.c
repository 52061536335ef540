#include "score/route.h"

/** From where to where, and which way around the rings that are as long both ways. */
struct way {
    const int32_t *from, *to; /**< coordinates, or switches from the lowest up */
    int64_t from_vertex, to_vertex;
    uint32_t down; /**< bit k: down along axis k */
};

typedef void link_visitor(void *context, int64_t link);

static inline void walk_torus(const struct network *network, const struct way *way,
                              link_visitor *visit, void *context)
{
    int64_t vertex = way->from_vertex, stride = network->vertices;
    for (int axis = 0; axis < network->ndims; axis++) {
        const int64_t length = network->dims[axis], end = way->to[axis];
        stride /= length;
        int64_t at = way->from[axis];
        const int64_t up = end >= at ? end - at : end - at + length, around = length - up;
        const bool shortest = up < around || (up == around && !(way->down >> axis & 1));
        const bool rises = network->periodic[axis] ? shortest : end > at;
        while (at != end) {
            visit(context, 2 * (network->ndims * vertex + axis) + rises);
            const int64_t next =
                rises ? (at + 1 == length ? 0 : at + 1) : (at == 0 ? length - 1 : at - 1);
            vertex += (next - at) * stride;
            at = next;
        }
    }
}

static inline void walk_tree(const struct network *network, const struct way *way,
                             link_visitor *visit, void *context)
{
    int64_t below = network->vertices;
    visit(context, 2 * way->from_vertex);
    for (int level = 0; level < network->ndims && way->from[level] != way->to[level]; level++) {
        visit(context, 2 * (below + way->from[level]));
        visit(context, 2 * (below + way->to[level]) + 1);
        below += network->switches[level];
    }
    visit(context, 2 * way->to_vertex + 1);
}

/** Calls `visit` for every link between two vertices that differ. */
static inline void walk(const struct network *network, const struct way *way, link_visitor *visit,
                        void *context)
{
    if (network->kind == MAP_TREE)
        walk_tree(network, way, visit, context);
    else
        walk_torus(network, way, visit, context);
}

/* -- loads ------------------------------------------------------------------------------------- */

struct load {
    struct traffic *traffic;
    double weight;
};

static inline void load_link(void *context, int64_t link)
{
    const struct load *load = context;
    struct traffic *traffic = load->traffic;
    const double before = traffic->loads[link], after = before + load->weight;
    const double square_before = before * before, square_after = after * after;
    traffic->loads[link] = after;
    traffic->unevenness += square_after * square_after - square_before * square_before;
    if (after > traffic->largest)
        traffic->largest = after;
}

void traffic_add(struct traffic *traffic, const struct map_problem *problem, int32_t from,
                 int32_t to, double weight)
{
    if (from == to || weight == 0)
        return;
    const struct way way = {
        .from = place_of(problem, from),
        .to = place_of(problem, to),
        .from_vertex = problem->vertex_of_node[from],
        .to_vertex = problem->vertex_of_node[to],
    };
    struct load load = {traffic, weight};
    walk(&problem->network, &way, load_link, &load);
}

void traffic_add_all(struct traffic *traffic, const struct map_problem *problem,
                     const int32_t *slots)
{
    const struct edges *edges = &problem->edges;
    for (int32_t rank = 0; rank < problem->ranks; rank++) {
        const int32_t from = problem->node_of_slot[slots[rank]];
        for (int64_t e = edges->starts[rank]; e < edges->starts[rank + 1]; e++)
            traffic_add(traffic, problem, from, problem->node_of_slot[slots[edges->neighbours[e]]],
                        edges->out ? edges->out[e] : 1);
    }
}

/** The number of directed links. */
static int64_t links_of(const struct network *network)
{
    if (network->kind == MAP_TORUS)
        return 2 * network->ndims * network->vertices;
    int64_t ends = network->vertices;
    for (int level = 0; level < network->ndims; level++)
        ends += network->switches[level];
    return 2 * ends;
}

int64_t map_links(const struct map_problem *problem)
{
    return links_of(&problem->network);
}

/* -- routes ------------------------------------------------------------------------------------ */

int map_network_links(const struct map_machine *machine, int64_t *links)
{
    struct network network = {0};
    const int status = network_make(machine, &network);
    if (status == MAP_OK)
        *links = links_of(&network);
    return status;
}

static int check_vertices(const struct network *network, int64_t count, const int64_t *vertices)
{
    for (int64_t i = 0; i < count; i++)
        if (vertices[i] < 0 || vertices[i] >= network->vertices)
            return MAP_BAD_SLOT;
    return MAP_OK;
}

struct list {
    int64_t *links; /**< NULL: they are counted only */
    int64_t count;
};

static inline void list_link(void *context, int64_t link)
{
    struct list *list = context;
    if (list->links)
        list->links[list->count] = link;
    list->count++;
}

int map_route(const struct map_machine *machine, const struct map_messages *messages,
              int64_t *starts, int64_t *links)
{
    struct network network = {0};
    int status = network_make(machine, &network);
    if (status == MAP_OK)
        status = check_vertices(&network, messages->count, messages->sources);
    if (status == MAP_OK)
        status = check_vertices(&network, messages->count, messages->destinations);
    if (status != MAP_OK)
        return status;
    struct list list = {.links = links};
    for (int64_t i = 0; i < messages->count; i++) {
        int32_t from[MAP_MOST_DIMS], to[MAP_MOST_DIMS];
        const int64_t source = messages->sources[i], destination = messages->destinations[i];
        starts[i] = list.count;
        if (source == destination)
            continue;
        place_vertex(machine, &network, source, from);
        place_vertex(machine, &network, destination, to);
        const struct way way = {from, to, source, destination,
                                messages->down ? messages->down[i] : 0};
        walk(&network, &way, list_link, &list);
    }
    starts[messages->count] = list.count;
    return MAP_OK;
}
