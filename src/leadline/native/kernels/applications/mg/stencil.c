#include "applications/mg/stencil.h"

#include "applications/mg/ahead.h"
#include "patterns/pattern.h"

/* -- lanes ------------------------------------------------------------------------------------- */

/*
 * A few numbers that lie side by side in a row and are computed at once, by the same operations as
 * each would be alone. Compilers make of them what vectors a processor has.
 */

enum { LANES = 4 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

/** The same in memory, where they begin at any number. */
typedef double stored_lanes
    __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

#if defined __clang__ || __GNUC__ >= 12
#define SHUFFLED __builtin_shufflevector
#else
typedef long lane_numbers __attribute__((vector_size(LANES * sizeof(long))));
#define SHUFFLED(a, b, ...) __builtin_shuffle(a, b, (lane_numbers){__VA_ARGS__})
#endif

/** Before a loop of a few turns: written out, so that what it fills stays in registers. */
#if defined __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

INLINED lanes load(const double *row)
{
    return *(const stored_lanes *)row;
}

INLINED void store(double *row, lanes numbers)
{
    *(stored_lanes *)row = numbers;
}

/** Each number's neighbour to the left, where `last` are the numbers before. */
INLINED lanes left_of(lanes numbers, lanes last)
{
    return SHUFFLED(last, numbers, 3, 4, 5, 6);
}

/** Each number's neighbour to the right, where `next` are the numbers behind. */
INLINED lanes right_of(lanes numbers, lanes next)
{
    return SHUFFLED(numbers, next, 1, 2, 3, 4);
}

/* -- operators --------------------------------------------------------------------------------- */

/* A stencil's sum at a number is here(x) + apart(x - 1) + apart(x + 1): of the number with its
   neighbours in its plane across x, and of those in the planes beside it. Each is found once, from
   sums of two numbers along z, which are kept for the rows to come. Two rows are computed at a
   time, so that what both need is loaded once: each box with a stencil has an even number of them.
   Lanes reach beyond what they are for, to the left of a row and to the right. */

#ifndef LEADLINE_MG_EDGE /* tests plant a wrong one */
#define LEADLINE_MG_EDGE (1.0 / 6)
#endif

enum {
    ROWS = 2,                   /* computed at a time */
    BESIDE = ROWS + 2,          /* these, the one before them along y, the one behind them */
    FIRST = 1 - LANES,          /* places of the lanes before those that begin at place 1 */
    ROW = MOST_POINTS + 72,     /* no row of depths lies where another does in its page */
    PLANE_AT_A_TIME = 70 * 1024 /* numbers of a plane, of which caches of 2 MiB hold three */
};

/** Of the two rows before those computed next: each number's two neighbours along z, added. */
struct depths {
    double rows[2][ROW]; /* place x at x - FIRST */
};

/** Of lanes in each row: what they and their neighbours across x add to their own sums, and what
    to those of both neighbours along x. */
struct weighted {
    lanes here[ROWS], apart[ROWS];
};

/** Numbers, their four neighbours across x, added, and the four beyond those. */
struct across {
    lanes numbers, faces, edges;
};

typedef void weighting(const struct across *across, struct smoother weights, lanes *here,
                       lanes *apart);

INLINED void laplacian(const struct across *across, struct smoother weights, lanes *here,
                       lanes *apart)
{
    static const double centre = -8.0 / 3, edge = LEADLINE_MG_EDGE, corner = 1.0 / 12;
    (void)weights;
    *here = centre * across->numbers + edge * across->edges;
    *apart = edge * across->faces + corner * across->edges;
}

INLINED void smoothing(const struct across *across, struct smoother weights, lanes *here,
                       lanes *apart)
{
    *here = weights.centre * across->numbers + weights.face * across->faces +
            weights.edge * across->edges;
    *apart = weights.face * across->numbers + weights.edge * across->faces;
}

/** What is done with the sums: added to, or subtracted from, what was there; or `from` less them.
 */
enum use { ADDED, SUBTRACTED, SUBTRACTED_FROM };

/** An operator, and the fields it works on. */
struct operands {
    weighting *weigh;
    enum use use;
    const double *field; /* whose sums are taken */
    const double *from;
    double *to;
    struct smoother weights;
};

INLINED lanes depths_of(const double *numbers, ptrdiff_t plane)
{
    return load(numbers - plane) + load(numbers + plane);
}

/* For rows from that at `row` on. */
INLINED void begin_depths(struct depths *depths, const struct box *box, const double *row)
{
    const ptrdiff_t count = (ptrdiff_t)box_row(box), plane = (ptrdiff_t)box_plane(box);
    for (ptrdiff_t x = FIRST; x <= (ptrdiff_t)box->points[0] + LANES; x += LANES) {
        store(depths->rows[0] + x - FIRST, depths_of(row - count + x, plane));
        store(depths->rows[1] + x - FIRST, depths_of(row + x, plane));
    }
}

/* Lanes at `x` of the rows from that at `row` on. */
INLINED struct weighted weighted_at(struct depths *depths, const struct box *box,
                                    const struct operands *operands, const double *row, ptrdiff_t x)
{
    const ptrdiff_t count = (ptrdiff_t)box_row(box), plane = (ptrdiff_t)box_plane(box);
    lanes numbers[BESIDE], deep[BESIDE];
    UNROLLED
    for (int i = 0; i < BESIDE; i++)
        numbers[i] = load(row + (i - 1) * count + x);
    UNROLLED
    for (int i = 0; i < BESIDE; i++)
        deep[i] =
            i < 2 ? load(depths->rows[i] + x - FIRST) : depths_of(row + (i - 1) * count + x, plane);
    struct weighted found;
    UNROLLED
    for (int i = 0; i < ROWS; i++) {
        const struct across across = {numbers[i + 1], numbers[i] + numbers[i + 2] + deep[i + 1],
                                      deep[i] + deep[i + 2]};
        operands->weigh(&across, operands->weights, &found.here[i], &found.apart[i]);
    }
    store(depths->rows[0] + x - FIRST, deep[ROWS]);
    store(depths->rows[1] + x - FIRST, deep[ROWS + 1]);
    return found;
}

/* In rows of two points, lanes end with a ghost of their own row and one of the next. */
INLINED void use_sum(const struct operands *operands, size_t at, lanes sum)
{
    double *to = operands->to + at;
    if (operands->use == ADDED)
        store(to, load(to) + sum);
    else
        store(to, load(operands->use == SUBTRACTED ? to : operands->from + at) - sum);
}

/* What the next rows need of the line at `at`: of the plane behind, and their own of other fields.
 */
INLINED void fetch_next(const struct box *box, const struct operands *operands, size_t at)
{
    const size_t row = box_row(box), plane = box_plane(box);
    UNROLLED
    for (size_t i = ROWS; i < 2 * ROWS; i++) {
        fetch(operands->field + at + plane + (i + 1) * row);
        fetch(operands->to + at + i * row);
        if (operands->use == SUBTRACTED_FROM)
            fetch(operands->from + at + i * row);
    }
}

/* Rows from that at `at` on; of `far` fields the next are fetched. */
INLINED void do_rows(const struct box *box, struct depths *depths, size_t at,
                     const struct operands *operands, bool far)
{
    const double *row = operands->field + at;
    struct weighted last = weighted_at(depths, box, operands, row, FIRST);
    struct weighted now = weighted_at(depths, box, operands, row, 1);
    for (size_t x = 1; x <= box->points[0]; x += LANES) {
        if (far && x % LINE == 1)
            fetch_next(box, operands, at + x);
        const struct weighted next = weighted_at(depths, box, operands, row, (ptrdiff_t)x + LANES);
        UNROLLED
        for (size_t i = 0; i < ROWS; i++) {
            const lanes left = left_of(now.apart[i], last.apart[i]);
            const lanes right = right_of(now.apart[i], next.apart[i]);
            use_sum(operands, at + i * box_row(box) + x, now.here[i] + (left + right));
            last.apart[i] = now.apart[i];
            now.here[i] = next.here[i];
            now.apart[i] = next.apart[i];
        }
    }
}

INLINED void do_part(const struct box *box, size_t first, size_t end, size_t z,
                     const struct operands *operands, bool far)
{
    struct depths depths;
    begin_depths(&depths, box, operands->field + box_at(box, first, z));
    for (size_t y = first; y < end; y += ROWS)
        do_rows(box, &depths, box_at(box, y, z), operands, far);
}

/* Some rows of all planes, then the next rows, so that planes come from memory once. */
INLINED void do_planes(const struct box *box, const struct operands *operands, bool far)
{
    const size_t rows = PLANE_AT_A_TIME / box_row(box) / ROWS * ROWS, last = box->points[1];
    for (size_t first = 1; first <= last; first += rows)
        for (size_t z = 1; z <= box->points[2]; z++)
            do_part(box, first, first + rows <= last ? first + rows : last + 1, z, operands, far);
}

/* Each with loops of its own. */
INLINED void do_box(const struct box *box, const struct operands *operands)
{
    if (is_far(box))
        do_planes(box, operands, true);
    else
        do_planes(box, operands, false);
}

VECTORISED void stencil_residual(const struct box *box, const double *u, const double *v, double *r)
{
    const struct operands operands = {laplacian, SUBTRACTED_FROM, .field = u, .from = v, .to = r};
    do_box(box, &operands);
}

VECTORISED void stencil_subtract(const struct box *box, const double *u, double *r)
{
    const struct operands operands = {laplacian, SUBTRACTED, .field = u, .to = r};
    do_box(box, &operands);
}

VECTORISED void stencil_smooth(const struct box *box, const double *r, struct smoother weights,
                               double *u)
{
    const struct operands operands = {smoothing, ADDED, .field = r, .to = u, .weights = weights};
    do_box(box, &operands);
}

double stencil_square(const struct box *box, const double *r)
{
    double sum = 0;
    for (size_t z = 1; z <= box->points[2]; z++)
        for (size_t y = 1; y <= box->points[1]; y++) {
            const double *row = r + box_at(box, y, z);
            for (size_t x = 1; x <= box->points[0]; x++)
                sum += row[x] * row[x];
        }
    return sum;
}
