#include "applications/mg/box.h"

#include <string.h>

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
