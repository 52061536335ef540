#include "applications/mg/box.h"

#include <string.h>

/* -- faces ------------------------------------------------------------------------------------- */

/** A layer in memory: planes of rows of numbers side by side. */
struct layer {
    size_t start;
    size_t planes, plane_stride;
    size_t rows, row_stride;
    size_t numbers;
};

static struct layer layer_at(const struct box *box, int axis, size_t place)
{
    const size_t row = box_row(box), plane = box_plane(box);
    if (axis == 0)
        return (struct layer){
            plane + row + place, box->points[2], plane, box->points[1], row, 1,
        };
    if (axis == 1)
        return (struct layer){plane + place * row, box->points[2], plane, 1, row, row};
    return (struct layer){place * plane, 1, plane, 1, row, plane};
}

size_t face_size(const struct box *box, int axis)
{
    const struct layer layer = layer_at(box, axis, 0);
    return layer.planes * layer.rows * layer.numbers;
}

static void copy_numbers(double *to, const double *from, size_t numbers)
{
    if (numbers == 1)
        *to = *from;
    else
        memcpy(to, from, numbers * sizeof *to);
}

void face_pack(const struct box *box, int axis, size_t place, const double *field, double *to)
{
    const struct layer layer = layer_at(box, axis, place);
    for (size_t plane = 0; plane < layer.planes; plane++)
        for (size_t row = 0; row < layer.rows; row++, to += layer.numbers)
            copy_numbers(to,
                         field + layer.start + plane * layer.plane_stride + row * layer.row_stride,
                         layer.numbers);
}

void face_unpack(const struct box *box, int axis, size_t place, const double *from, double *field)
{
    const struct layer layer = layer_at(box, axis, place);
    for (size_t plane = 0; plane < layer.planes; plane++)
        for (size_t row = 0; row < layer.rows; row++, from += layer.numbers)
            copy_numbers(field + layer.start + plane * layer.plane_stride + row * layer.row_stride,
                         from, layer.numbers);
}

static void copy_layer(const struct box *box, int axis, size_t from, size_t to, double *field)
{
    const struct layer source = layer_at(box, axis, from), target = layer_at(box, axis, to);
    for (size_t plane = 0; plane < source.planes; plane++)
        for (size_t row = 0; row < source.rows; row++) {
            const size_t there = plane * source.plane_stride + row * source.row_stride;
            copy_numbers(field + target.start + there, field + source.start + there,
                         source.numbers);
        }
}

void face_wrap(const struct box *box, int axis, double *field)
{
    const size_t last = box->points[axis];
    copy_layer(box, axis, last, 0, field);
    copy_layer(box, axis, 1, last + 1, field);
}

/* -- division ---------------------------------------------------------------------------------- */

static int log2_of(int number)
{
    int log = 0;
    while (number >> (log + 1))
        log++;
    return log;
}

/* As NPB 3.3 divides: 2 is 1 x 1 x 2, 4 is 1 x 2 x 2, 16 is 2 x 2 x 4. */
struct division division_of(int rank, int ranks)
{
    const int halvings = log2_of(ranks), along_x = halvings / 3, along_y = (halvings - along_x) / 2;
    const int along_z = halvings - along_x - along_y;
    return (struct division){{1 << along_x, 1 << along_y, 1 << along_z}, rank};
}

int division_level(const struct division *division)
{
    return log2_of(division->ranks[AXES - 1]);
}

bool division_fits(int ranks, int levels)
{
    if (ranks < 1 || ranks > MOST_RANKS || ranks & (ranks - 1))
        return false;
    const struct division division = division_of(0, ranks);
    return levels > division_level(&division);
}

static int stride_of(const struct division *division, int axis)
{
    int stride = 1;
    for (int before = 0; before < axis; before++)
        stride *= division->ranks[before];
    return stride;
}

int division_place(const struct division *division, int rank, int axis)
{
    return rank / stride_of(division, axis) % division->ranks[axis];
}

int division_neighbour(const struct division *division, int axis, int steps)
{
    const int place = division_place(division, division->rank, axis);
    const int there = (place + steps + division->ranks[axis]) % division->ranks[axis];
    return division->rank + (there - place) * stride_of(division, axis);
}

struct box division_box(const struct division *division, int level)
{
    struct box box;
    for (int axis = 0; axis < AXES; axis++)
        box.points[axis] = ((size_t)1 << level) / (size_t)division->ranks[axis];
    return box;
}
