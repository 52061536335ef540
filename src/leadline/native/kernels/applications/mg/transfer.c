/* With ghosts counted, coarse place J is fine place 2 J along every axis. */
#include "applications/mg/transfer.h"

#include "applications/mg/ahead.h"
#include "applications/mg/classes.h"

enum { ROW = MOST_POINTS + 2 };

static struct box fine_of(const struct box *coarse)
{
    const size_t *points = coarse->points;
    return (struct box){{2 * points[0], 2 * points[1], 2 * points[2]}};
}

/* For each number of a row: weighted with its eight neighbours across x. */
INLINED void weigh_across(const double *at, size_t row, size_t plane, size_t first, size_t end,
                          double *restrict weighted)
{
    const double *before = at - plane, *behind = at + plane;
    for (size_t x = first; x < end; x++) {
        const double faces = (at - row)[x] + (at + row)[x] + before[x] + behind[x];
        const double edges =
            (before - row)[x] + (before + row)[x] + (behind - row)[x] + (behind + row)[x];
        weighted[x] = at[x] + 0.5 * (faces + 0.5 * edges);
    }
}

/* The four rows that the next coarse one needs more. */
INLINED void fetch_four(const double *at, size_t row, size_t plane, size_t first, size_t end)
{
    fetch_part(at + 2 * row, first, end);
    fetch_part(at + 3 * row, first, end);
    fetch_part(at + plane + 2 * row, first, end);
    fetch_part(at + plane + 3 * row, first, end);
}

/* One coarse row out of the nine fine rows around `at`. */
INLINED void restrict_row(const double *at, const struct box *fine, bool far,
                          double *restrict coarse)
{
    const size_t row = box_row(fine), plane = box_plane(fine);
    double weighted[ROW];
    for (size_t first = 0, end; first < row; first = end) {
        end = step_end(first, row, far);
        if (far)
            fetch_four(at, row, plane, first, end);
        weigh_across(at, row, plane, first, end, weighted);
    }
    for (size_t j = 1; j <= fine->points[0] / 2; j++)
        coarse[j] = 0.5 * (weighted[2 * j] + 0.5 * (weighted[2 * j - 1] + weighted[2 * j + 1]));
}

VECTORISED void transfer_restrict(const struct box *coarse_box, const double *fine, double *coarse)
{
    const struct box fine_box = fine_of(coarse_box);
    const bool far = is_far(&fine_box);
    for (size_t z = 1; z <= coarse_box->points[2]; z++)
        for (size_t y = 1; y <= coarse_box->points[1]; y++)
            restrict_row(fine + box_at(&fine_box, 2 * y, 2 * z), &fine_box, far,
                         coarse + box_at(coarse_box, y, z));
}

/* Fine rows come from one, two or four coarse ones: their sum, times `weight`, is their mean. */
INLINED void spread_row(const double *restrict sum, size_t points, double weight, bool adds,
                        bool far, double *restrict fine)
{
    const size_t row = 2 * (points + 1);
    if (far)
        fetch_part(fine + 2 * row, 0, row);
    const double half = weight / 2;
    for (size_t j = 0; j <= points; j++) {
        const double at = weight * sum[j], between = half * (sum[j] + sum[j + 1]);
        fine[2 * j] = adds ? fine[2 * j] + at : at;
        fine[2 * j + 1] = adds ? fine[2 * j + 1] + between : between;
    }
}

/* The four fine rows at `fine` from the four coarse ones at `coarse`. */
INLINED void spread_rows(const struct box *coarse_box, const double *restrict coarse,
                         const struct box *fine_box, bool adds, bool far, double *fine)
{
    const size_t row = box_row(coarse_box), points = coarse_box->points[0];
    const double *above = coarse + row, *behind = coarse + box_plane(coarse_box);
    const double *beyond = behind + row;
    double *fine_behind = fine + box_plane(fine_box);
    double depth[ROW], height[ROW], all[ROW];
    for (size_t x = 0; x < row; x++) {
        height[x] = coarse[x] + above[x];
        depth[x] = coarse[x] + behind[x];
        all[x] = height[x] + (behind[x] + beyond[x]);
    }
    spread_row(coarse, points, 1, adds, far, fine);
    spread_row(height, points, 0.5, adds, far, fine + box_row(fine_box));
    spread_row(depth, points, 0.5, adds, far, fine_behind);
    spread_row(all, points, 0.25, adds, far, fine_behind + box_row(fine_box));
}

INLINED void prolongate(const struct box *coarse_box, const double *coarse, bool adds, double *fine)
{
    const struct box fine_box = fine_of(coarse_box);
    const bool far = is_far(&fine_box);
    for (size_t z = 0; z <= coarse_box->points[2]; z++)
        for (size_t y = 0; y <= coarse_box->points[1]; y++) {
            double *rows = fine + box_at(&fine_box, 2 * y, 2 * z);
            spread_rows(coarse_box, coarse + box_at(coarse_box, y, z), &fine_box, adds, far, rows);
        }
}

VECTORISED void transfer_prolongate(const struct box *coarse_box, const double *coarse,
                                    double *fine)
{
    prolongate(coarse_box, coarse, false, fine);
}

VECTORISED void transfer_correct(const struct box *coarse_box, const double *coarse, double *fine)
{
    prolongate(coarse_box, coarse, true, fine);
}
