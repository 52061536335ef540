/**
 * An MPI program as users write them: it lets the library reorder its ranks, then holds what its
 * neighbours send against what the standard says they do. Runs on a square of at least 9 ranks.
 *
 * Prints "LABEL RANK OLD_RANK NODE [COORDINATE ...]" for each member of each communicator (a node
 * is the least world rank that shares its memory) and "LABEL edge FROM TO WEIGHT" for graphs. What
 * is wrong is said on stderr and ends the program with status FOUND_WRONG.
 */
#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FOUND_WRONG = 3, MOST = 4, WIDEST = 5, UNTOUCHED = -7, SAID_US = 200000 };

/** Neighbours on one side, in the order in which they are served; MPI_PROC_NULL: none there. */
struct side {
    int count;
    int rank[MOST];
    int weight[MOST];
};

struct neighbourhood {
    struct side from;
    struct side to;
};

static const char *label;
static int node;
static int edge; /**< the grid is EDGE x EDGE */

static void require(bool is_so, const char *format, ...)
{
    if (is_so)
        return;
    va_list values;
    va_start(values, format);
    fprintf(stderr, "wrong: %s: ", label);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    usleep(SAID_US); /* a launcher that is told to abort may drop what it was about to pass on */
    MPI_Abort(MPI_COMM_WORLD, FOUND_WRONG);
}

/** Unlike in either direction, and for each edge of a rank. */
static int weight_of(int from, int to)
{
    return 1 + (3 * from + 7 * to) % WIDEST;
}

static void add(struct side *side, int rank, int weight)
{
    side->rank[side->count] = rank;
    side->weight[side->count++] = weight;
}

static int rank_at(const int *at, const int *dims, const int *periods)
{
    int rank = 0;
    for (int axis = 0; axis < 2; axis++) {
        if (!periods[axis] && (at[axis] < 0 || at[axis] >= dims[axis]))
            return MPI_PROC_NULL;
        rank = rank * dims[axis] + (at[axis] + dims[axis]) % dims[axis];
    }
    return rank;
}

/** Of `rank` in a grid, as Cartesian communicators order them: along each axis down, then up. */
static struct neighbourhood in_grid(int rank, const int *dims, const int *periods)
{
    struct neighbourhood found = {0};
    for (int axis = 0; axis < 2; axis++)
        for (int step = -1; step <= 1; step += 2) {
            int at[2] = {rank / dims[1], rank % dims[1]};
            at[axis] += step;
            const int peer = rank_at(at, dims, periods);
            add(&found.from, peer, weight_of(peer, rank));
            add(&found.to, peer, weight_of(rank, peer));
        }
    return found;
}

/** Of `rank` in a graph: those of the open grid, each rank beginning elsewhere. */
static struct neighbourhood in_graph(int rank)
{
    const int dims[2] = {edge, edge}, periods[2] = {0, 0};
    const struct neighbourhood all = in_grid(rank, dims, periods);
    struct neighbourhood found = {0};
    for (int i = 0; i < MOST; i++) {
        const int in = (i + rank) % MOST, out = (i + 2 * rank + 1) % MOST;
        if (all.from.rank[in] != MPI_PROC_NULL)
            add(&found.from, all.from.rank[in], all.from.weight[in]);
        if (all.to.rank[out] != MPI_PROC_NULL)
            add(&found.to, all.to.rank[out], all.to.weight[out]);
    }
    return found;
}

static int message(int from, int to)
{
    return 1000 * from + to;
}

/** Each rank sends one number to all, then to each its own, then to each as many as the edge
 * weighs. */
static void exchange(MPI_Comm comm, int rank, const struct neighbourhood *of)
{
    int sent[MOST * WIDEST], got[MOST * WIDEST];
    int out[MOST], in[MOST], out_at[MOST], in_at[MOST];
    for (int i = 0; i < MOST * WIDEST; i++)
        got[i] = UNTOUCHED;
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, comm);
    for (int i = 0; i < of->from.count; i++) {
        const int peer = of->from.rank[i], due = peer == MPI_PROC_NULL ? UNTOUCHED : peer;
        require(got[i] == due, "rank %d gathered %d from neighbour %d, not %d", rank, got[i], i,
                due);
    }
    for (int i = 0; i < of->to.count; i++)
        sent[i] = message(rank, of->to.rank[i]);
    MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, comm);
    for (int i = 0; i < of->from.count; i++) {
        const int peer = of->from.rank[i];
        const int due = peer == MPI_PROC_NULL ? UNTOUCHED : message(peer, rank);
        require(got[i] == due, "rank %d got %d from neighbour %d, not %d", rank, got[i], i, due);
    }
    for (int i = 0; i < of->to.count; i++) {
        const int peer = of->to.rank[i];
        out[i] = peer == MPI_PROC_NULL ? 0 : of->to.weight[i];
        out_at[i] = WIDEST * i;
        for (int k = 0; k < out[i]; k++)
            sent[out_at[i] + k] = message(rank, peer) + 1000000 * k;
    }
    for (int i = 0; i < of->from.count; i++) {
        in[i] = of->from.rank[i] == MPI_PROC_NULL ? 0 : of->from.weight[i];
        in_at[i] = WIDEST * i;
    }
    MPI_Neighbor_alltoallv(sent, out, out_at, MPI_INT, got, in, in_at, MPI_INT, comm);
    for (int i = 0; i < of->from.count; i++)
        for (int k = 0; k < in[i]; k++) {
            const int value = got[in_at[i] + k];
            const int due = message(of->from.rank[i], rank) + 1000000 * k;
            require(value == due, "rank %d got %d as item %d of neighbour %d, not %d", rank, value,
                    k, i, due);
        }
}

/** Prints where each rank of `comm` is, with its coordinates where it has `dims`. */
static void print_members(MPI_Comm comm, int old_rank, const int *dims)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int mine[2] = {old_rank, node};
    int *all = malloc(sizeof mine * (size_t)size);
    MPI_Gather(mine, 2, MPI_INT, all, 2, MPI_INT, 0, comm);
    for (int i = 0; rank == 0 && i < size; i++) {
        printf("%s %d %d %d", label, i, all[2 * i], all[2 * i + 1]);
        if (dims)
            printf(" %d %d", i / dims[1], i % dims[1]);
        putchar('\n');
    }
    free(all);
}

/** Holds the Cartesian `comm` against what it was asked to be. */
static void check_grid(MPI_Comm comm, MPI_Comm parent, const int *dims, const int *periods)
{
    int rank, old_rank, size, at[2], got_dims[2], got_periods[2];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(parent, &old_rank);
    require(size == dims[0] * dims[1], "%d ranks, not %d", size, dims[0] * dims[1]);
    MPI_Cart_get(comm, 2, got_dims, got_periods, at);
    require(at[0] == rank / dims[1] && at[1] == rank % dims[1], "rank %d is at %d,%d", rank, at[0],
            at[1]);
    const struct neighbourhood of = in_grid(rank, dims, periods);
    for (int axis = 0; axis < 2; axis++) {
        int down, up;
        MPI_Cart_shift(comm, axis, 1, &down, &up);
        require(got_dims[axis] == dims[axis] && !got_periods[axis] == !periods[axis],
                "axis %d is %d long, periodic %d", axis, got_dims[axis], got_periods[axis]);
        require(down == of.to.rank[2 * axis] && up == of.to.rank[2 * axis + 1],
                "rank %d has %d and %d along axis %d", rank, down, up, axis);
    }
    exchange(comm, rank, &of);
    print_members(comm, old_rank, dims);
}

static void cart(const char *name, MPI_Comm parent, int rows, int is_periodic)
{
    const int dims[2] = {rows, edge}, periods[2] = {is_periodic, is_periodic};
    int old_rank;
    MPI_Comm comm;
    label = name;
    MPI_Comm_rank(parent, &old_rank);
    MPI_Cart_create(parent, 2, dims, periods, 1, &comm);
    const bool is_member = comm != MPI_COMM_NULL;
    int members = is_member;
    MPI_Allreduce(MPI_IN_PLACE, &members, 1, MPI_INT, MPI_SUM, parent);
    require(members == rows * edge, "%d members, not %d", members, rows * edge);
    if (!is_member)
        return;
    check_grid(comm, parent, dims, periods);
    MPI_Comm_free(&comm);
}

static void cart_map(void)
{
    const int dims[2] = {edge, edge}, periods[2] = {0, 0};
    int new_rank, rank;
    MPI_Comm ordered, comm;
    label = "cart_map";
    MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &new_rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, new_rank, &ordered);
    MPI_Comm_rank(ordered, &rank);
    require(rank == new_rank, "rank %d was told to be %d", rank, new_rank);
    MPI_Cart_create(ordered, 2, dims, periods, 0, &comm);
    check_grid(comm, MPI_COMM_WORLD, dims, periods);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&ordered);
}

/** Whether both have the same neighbours: in the same order, or in any. */
static bool agree(const struct side *a, const struct side *b, bool in_order, bool is_weighted)
{
    int found = 0;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++)
            found += a->rank[i] == b->rank[k] && (i == k || !in_order) &&
                     (a->weight[i] == b->weight[k] || !is_weighted);
    return a->count == b->count && found == a->count;
}

static void print_edges(void)
{
    for (int rank = 0; rank < edge * edge; rank++) {
        const struct neighbourhood of = in_graph(rank);
        for (int i = 0; i < of.to.count; i++)
            printf("%s edge %d %d %d\n", label, rank, of.to.rank[i], of.to.weight[i]);
    }
}

/** Holds the graph `comm` against in_graph; frees it. */
static void check_graph(MPI_Comm comm, bool in_order, bool is_weighted)
{
    int rank, old_rank, has_weights;
    struct neighbourhood got;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_rank(MPI_COMM_WORLD, &old_rank);
    struct neighbourhood of = in_graph(rank);
    MPI_Dist_graph_neighbors_count(comm, &got.from.count, &got.to.count, &has_weights);
    require(got.from.count == of.from.count && got.to.count == of.to.count,
            "rank %d has %d and %d neighbours", rank, got.from.count, got.to.count);
    require(!has_weights == !is_weighted, "weighted is %d", has_weights);
    MPI_Dist_graph_neighbors(comm, MOST, got.from.rank, got.from.weight, MOST, got.to.rank,
                             got.to.weight);
    require(agree(&of.from, &got.from, in_order, is_weighted), "sources of rank %d", rank);
    require(agree(&of.to, &got.to, in_order, is_weighted), "destinations of rank %d", rank);
    if (!is_weighted)
        for (int i = 0; i < MOST; i++) {
            got.from.weight[i] = i < got.from.count ? weight_of(got.from.rank[i], rank) : 0;
            got.to.weight[i] = i < got.to.count ? weight_of(rank, got.to.rank[i]) : 0;
        }
    exchange(comm, rank, &got);
    print_members(comm, old_rank, NULL);
    if (rank == 0)
        print_edges();
    MPI_Comm_free(&comm);
}

static void graph_adjacent(const char *name, bool is_weighted)
{
    int old_rank;
    MPI_Comm comm;
    label = name;
    MPI_Comm_rank(MPI_COMM_WORLD, &old_rank);
    const struct neighbourhood of = in_graph(old_rank);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, of.from.count, of.from.rank,
                                   is_weighted ? of.from.weight : MPI_UNWEIGHTED, of.to.count,
                                   of.to.rank, is_weighted ? of.to.weight : MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 1, &comm);
    check_graph(comm, true, is_weighted);
}

/** Each rank tells the edges of another. */
static void graph(const char *name, bool is_weighted)
{
    int old_rank, size;
    MPI_Comm comm;
    label = name;
    MPI_Comm_rank(MPI_COMM_WORLD, &old_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int told = (old_rank + 1) % size;
    const struct side to = in_graph(told).to;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &told, &to.count, to.rank,
                          is_weighted ? to.weight : MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &comm);
    check_graph(comm, false, is_weighted);
}

static void find_node(void)
{
    MPI_Comm sharing;
    MPI_Comm_rank(MPI_COMM_WORLD, &node);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &sharing);
    MPI_Allreduce(MPI_IN_PLACE, &node, 1, MPI_INT, MPI_MIN, sharing);
    MPI_Comm_free(&sharing);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm reversed;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (edge * edge < size)
        edge++;
    label = "start";
    require(edge * edge == size && edge > 2, "%d ranks are no square of at least 9", size);
    find_node();
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
    cart("cart", MPI_COMM_WORLD, edge, 0);
    cart("cart_periodic", MPI_COMM_WORLD, edge, 1);
    cart("cart_smaller", MPI_COMM_WORLD, edge - 1, 0);
    cart("cart_of_reversed", reversed, edge, 0);
    cart_map();
    graph("graph", true);
    graph("graph_unweighted", false);
    graph_adjacent("adjacent", true);
    graph_adjacent("adjacent_unweighted", false);
    MPI_Finalize();
    return 0;
}
