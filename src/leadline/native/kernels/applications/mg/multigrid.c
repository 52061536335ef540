#include "applications/mg/multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "applications/mg/ahead.h"
#include "applications/mg/box.h"
#include "applications/mg/stencil.h"

enum { PAGE = 4096 / (int)sizeof(double) }; /* in numbers */

/** How far the memory of all fields is given away; counts where there is none yet. */
struct supply {
    double *numbers;
    size_t taken;
};

/* Memory that begins a line behind number `offset` of a page. There is a line before it and one
   behind it, as far as lanes may reach. */
static double *take(struct supply *supply, size_t numbers, size_t offset)
{
    const size_t start = (supply->taken + PAGE - 1) / PAGE * PAGE + (offset / LINE + 1) * LINE;
    supply->taken = start + numbers + LINE;
    return supply->numbers ? supply->numbers + start : NULL;
}

/* Fields lie half a row apart in their pages: processors hold up a load where an address that is
   stored to is the same but for its page ("4K aliasing"). */
static struct level level_from(struct supply *supply, struct box box, bool divided)
{
    double *u = take(supply, box_size(&box), 0);
    double *r = take(supply, box_size(&box), box_row(&box) / 2);
    return (struct level){box, divided, u, r};
}

static struct box whole_box(int level)
{
    const size_t along = points_along(level);
    return (struct box){{along, along, along}};
}

/* Gives all fields their memory, or counts what they need. */
static void lay_out(struct multigrid *grids, int ranks, struct supply *supply)
{
    const struct division *division = &grids->division;
    const int gathered = grids->gathered, finest = grids->class->levels;
    for (int k = finest; k > gathered; k--)
        grids->level[k] = level_from(supply, division_box(division, k), ranks > 1);
    for (int k = gathered; k > 0; k--)
        grids->level[k] = level_from(supply, whole_box(k), false);
    const struct box *top = &grids->level[finest].box;
    grids->v = take(supply, box_size(top), box_row(top) / 4);
    if (gathered == 0)
        return;
    grids->part = level_from(supply, division_box(division, gathered), true);
}

static struct multigrid unlaid(const struct grid_class *class, int rank, int ranks)
{
    struct multigrid grids = {.class = class, .division = division_of(rank, ranks)};
    grids.gathered = division_level(&grids.division);
    return grids;
}

/* Numbers of all faces on their way in one direction, which `faces` then tells apart. */
static size_t lay_out_faces(const struct multigrid *grids, struct faces *faces)
{
    const struct division *division = &grids->division;
    const struct box box = division_box(division, grids->class->levels);
    size_t numbers = 0;
    for (int axis = 0; axis < AXES; axis++) {
        faces->start[axis] = numbers;
        faces->size[axis] = division->ranks[axis] > 1 ? face_size(&box, axis) : 0;
        numbers += TURNS * ENDS * faces->size[axis];
    }
    return numbers;
}

size_t multigrid_bytes(const struct grid_class *class, int ranks)
{
    struct multigrid grids = unlaid(class, 0, ranks);
    struct supply supply = {NULL, 0};
    lay_out(&grids, ranks, &supply);
    return supply.taken * sizeof(double);
}

/* Numbers of the gathered grid; none where there is one rank. */
static size_t gathered_points(const struct multigrid *grids)
{
    return grids->gathered > 0 ? points_of(grids->gathered) : 0;
}

size_t multigrid_ring_bytes(const struct grid_class *class, int ranks)
{
    struct faces faces;
    const struct multigrid grids = unlaid(class, 0, ranks);
    return (lay_out_faces(&grids, &faces) + gathered_points(&grids) + 1) * sizeof(double);
}

/* Faces come first, then what is gathered, then what is summed. */
static void lay_out_rings(struct multigrid *grids, double *out, double *in)
{
    const size_t faces = lay_out_faces(grids, &grids->faces), sum = faces + gathered_points(grids);
    grids->faces.out = out;
    grids->faces.in = in;
    grids->gathering = out + faces;
    grids->blocks = in + faces;
    grids->own_square = out + sum;
    grids->square = in + sum;
}

/* Large pages, where there are any, save a good part of the loads their translation. */
static double *allocate_fields(size_t bytes)
{
    const size_t large = (size_t)2 << 20, alignment = bytes < large ? tp_page_bytes() : large;
    double *numbers = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (numbers && bytes >= large)
        (void)madvise(numbers, bytes, MADV_HUGEPAGE);
    return numbers;
}

/* By class, found once: for C that takes half a second. */
static const struct charge *charges_of(int levels)
{
    static struct charge known[MOST_LEVELS + 1][CHARGES];
    if (known[levels]->value == 0)
        charges_find(levels, known[levels]);
    return known[levels];
}

bool multigrid_begin(struct multigrid *grids, const struct grid_class *class,
                     const struct cell *cell)
{
    const size_t bytes = multigrid_bytes(class, cell->ranks);
    *grids = unlaid(class, cell->rank, cell->ranks);
    grids->cell = cell;
    grids->fields = allocate_fields(bytes);
    if (!grids->fields)
        return false;
    memset(grids->fields, 0, bytes); /* touches every page */
    struct supply supply = {grids->fields, 0};
    lay_out(grids, cell->ranks, &supply);
    lay_out_rings(grids, (double *)(void *)ring_at(&cell->out, 0),
                  (double *)(void *)ring_at(&cell->in, 0));
    memcpy(grids->charges, charges_of(class->levels), sizeof grids->charges);
    return true;
}

void multigrid_end(struct multigrid *grids)
{
    free(grids->fields);
    grids->fields = NULL;
}

/* Whether `place` along `axis` of this rank's box, or of its ghosts, is that of `charge`. */
static bool is_at(const struct multigrid *grids, const struct charge *charge, int axis,
                  size_t place)
{
    const size_t along = points_along(grids->class->levels);
    const int mine = division_place(&grids->division, grids->division.rank, axis);
    const size_t first = (size_t)mine * finest_of(grids)->box.points[axis];
    return (first + place + along - 1) % along == charge->at[axis];
}

static void charge_row(const struct multigrid *grids, const struct charge *charge, size_t y,
                       size_t z)
{
    const struct level *top = finest_of(grids);
    const size_t row = box_at(&top->box, y, z);
    for (size_t x = 0; x <= top->box.points[0] + 1; x++)
        if (is_at(grids, charge, 0, x))
            grids->v[row + x] = top->r[row + x] = charge->value;
}

static void put_charge(const struct multigrid *grids, const struct charge *charge)
{
    const struct box *box = &finest_of(grids)->box;
    for (size_t z = 0; z <= box->points[2] + 1; z++)
        for (size_t y = 0; is_at(grids, charge, 2, z) && y <= box->points[1] + 1; y++)
            if (is_at(grids, charge, 1, y))
                charge_row(grids, charge, y, z);
}

void multigrid_anew(struct multigrid *grids)
{
    const struct level *top = finest_of(grids);
    const size_t bytes = box_size(&top->box) * sizeof(double);
    memset(top->u, 0, bytes);
    memset(top->r, 0, bytes);
    memset(grids->v, 0, bytes);
    for (int i = 0; i < CHARGES; i++)
        put_charge(grids, &grids->charges[i]);
}

double multigrid_norm(const struct multigrid *grids)
{
    const struct level *top = finest_of(grids);
    *grids->own_square = stencil_square(&top->box, top->r);
    tp_allreduce(grids->own_square, grids->square, 1, TP_DOUBLE, TP_SUM);
    return sqrt(*grids->square / (double)points_of(grids->class->levels));
}
