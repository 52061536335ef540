/* A stencil's sum at a number is here(x) + apart(x - 1) + apart(x + 1): of the number with its
   neighbours in its plane across x, and of those in the planes beside it. Each is found once, from
   sums of rows, of which neighbours share most. */
#include "applications/mg/stencil.h"

#include "applications/mg/ahead.h"

#ifndef LEADLINE_MG_EDGE /* tests plant a wrong one */
#define LEADLINE_MG_EDGE (1.0 / 6)
#endif

enum {
    ROW = MOST_POINTS + 72,     /* no row of sums lies where another does in its page */
    PLANE_AT_A_TIME = 70 * 1024 /* numbers of a plane, of which caches of 2 MiB hold three */
};

/** Sums of the numbers around a row, for each of its numbers. */
struct sums {
    double depths[3][ROW];          /* of rows: both neighbours along z */
    double *below, *beside, *above; /* those of the row before it along y, its own, the next */
    double here[ROW], apart[ROW];
};

struct weighted {
    double here, apart;
};

/** Of a number, its four neighbours across x, and the four beyond those. */
typedef struct weighted weighting(double number, double faces, double edges,
                                  struct smoother weights);

INLINED struct weighted laplacian(double number, double faces, double edges,
                                  struct smoother weights)
{
    static const double centre = -8.0 / 3, edge = LEADLINE_MG_EDGE, corner = 1.0 / 12;
    (void)weights;
    return (struct weighted){centre * number + edge * edges, edge * faces + corner * edges};
}

INLINED struct weighted smoothing(double number, double faces, double edges,
                                  struct smoother weights)
{
    return (struct weighted){
        weights.centre * number + weights.face * faces + weights.edge * edges,
        weights.face * number + weights.edge * faces,
    };
}

/** What is done with the sums: added to, or subtracted from, what was there; or `from` less them.
 */
enum use { ADDED, SUBTRACTED, SUBTRACTED_FROM };

struct operands {
    const double *field; /* whose sums are taken */
    const double *from;
    double *to;
    struct smoother weights;
};

INLINED void add_depths(const double *row, size_t plane, size_t count, double *restrict to)
{
    const double *before = row - plane, *behind = row + plane;
    for (size_t x = 0; x < count; x++)
        to[x] = before[x] + behind[x];
}

/* For the row at `row`, but for what is above it. */
INLINED void begin_sums(struct sums *sums, const double *row, size_t count, size_t plane)
{
    sums->below = sums->depths[0];
    sums->beside = sums->depths[1];
    sums->above = sums->depths[2];
    add_depths(row - count, plane, count, sums->below);
    add_depths(row, plane, count, sums->beside);
}

/* Numbers first .. end - 1 of a row of `count`. */
INLINED void sum_around(struct sums *sums, const double *row, size_t count, size_t plane,
                        weighting *weigh, struct smoother weights, size_t first, size_t end)
{
    const double *lower = row - count, *upper = row + count;
    const double *before = upper - plane, *behind = upper + plane;
    const double *restrict below = sums->below, *restrict beside = sums->beside;
    double *restrict above = sums->above, *restrict here = sums->here;
    double *restrict apart = sums->apart;
    for (size_t x = first; x < end; x++) {
        const double depths = before[x] + behind[x];
        const struct weighted both =
            weigh(row[x], lower[x] + upper[x] + beside[x], below[x] + depths, weights);
        above[x] = depths;
        here[x] = both.here;
        apart[x] = both.apart;
    }
}

INLINED void use_sums(const struct sums *sums, size_t points, enum use use,
                      const double *restrict from, double *restrict to)
{
    const double *restrict here = sums->here, *restrict apart = sums->apart;
    for (size_t x = 1; x <= points; x++) {
        const double sum = here[x] + (apart[x - 1] + apart[x + 1]);
        to[x] = use == ADDED ? to[x] + sum : (use == SUBTRACTED ? to[x] : from[x]) - sum;
    }
}

INLINED void move_up(struct sums *sums)
{
    double *oldest = sums->below;
    sums->below = sums->beside;
    sums->beside = sums->above;
    sums->above = oldest;
}

/* What the next row needs: a row of the plane behind, and its own of the other fields. */
INLINED void fetch_next(const struct box *box, size_t at, enum use use,
                        const struct operands *operands, size_t first, size_t end)
{
    const size_t row = box_row(box);
    fetch(operands->field + at + box_plane(box) + 2 * row, first, end);
    fetch(operands->to + at + row, first, end);
    if (use == SUBTRACTED_FROM)
        fetch(operands->from + at + row, first, end);
}

/* The row at `at`; of `far` fields the next is fetched. */
INLINED void do_row(const struct box *box, struct sums *sums, size_t at, weighting *weigh,
                    enum use use, const struct operands *operands, bool far)
{
    const size_t row = box_row(box), plane = box_plane(box);
    const double *from = use == SUBTRACTED_FROM ? operands->from + at : NULL;
    for (size_t first = 0, end; first < row; first = end) {
        end = step_end(first, row, far);
        if (far)
            fetch_next(box, at, use, operands, first, end);
        sum_around(sums, operands->field + at, row, plane, weigh, operands->weights, first, end);
    }
    use_sums(sums, box->points[0], use, from, operands->to + at);
}

INLINED void do_rows(const struct box *box, size_t first, size_t end, size_t z, weighting *weigh,
                     enum use use, const struct operands *operands, bool far)
{
    struct sums sums;
    begin_sums(&sums, operands->field + box_at(box, first, z), box_row(box), box_plane(box));
    for (size_t y = first; y < end; y++) {
        do_row(box, &sums, box_at(box, y, z), weigh, use, operands, far);
        move_up(&sums);
    }
}

/* Some rows of all planes, then the next rows, so that planes come from memory once. */
INLINED void do_planes(const struct box *box, weighting *weigh, enum use use,
                       const struct operands *operands, bool far)
{
    const size_t rows = PLANE_AT_A_TIME / box_row(box), last = box->points[1];
    for (size_t first = 1; first <= last; first += rows)
        for (size_t z = 1; z <= box->points[2]; z++)
            do_rows(box, first, first + rows <= last ? first + rows : last + 1, z, weigh, use,
                    operands, far);
}

/* Each with loops of its own. */
INLINED void do_box(const struct box *box, weighting *weigh, enum use use,
                    const struct operands *operands)
{
    if (is_far(box))
        do_planes(box, weigh, use, operands, true);
    else
        do_planes(box, weigh, use, operands, false);
}

VECTORISED void stencil_residual(const struct box *box, const double *u, const double *v, double *r)
{
    const struct operands operands = {.field = u, .from = v, .to = r};
    do_box(box, laplacian, SUBTRACTED_FROM, &operands);
}

VECTORISED void stencil_subtract(const struct box *box, const double *u, double *r)
{
    const struct operands operands = {.field = u, .to = r};
    do_box(box, laplacian, SUBTRACTED, &operands);
}

VECTORISED void stencil_smooth(const struct box *box, const double *r, struct smoother weights,
                               double *u)
{
    const struct operands operands = {.field = r, .to = u, .weights = weights};
    do_box(box, smoothing, ADDED, &operands);
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
