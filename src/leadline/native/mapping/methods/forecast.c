/* What is known of a grid's mapping before it is made. */
#include "methods/methods.h"

int map_grid_forecast(const struct map_problem *problem, const struct map_pattern *grid,
                      double *traffic)
{
    struct map_problem other = *problem;
    int64_t ranks;
    other.edges = (struct edges){0};
    int status = grid->kind == MAP_GRID ? grid_make(grid, &other.grid, &ranks) : MAP_BAD_DIMS;
    if (status == MAP_OK && ranks != problem->ranks)
        status = MAP_MISFIT;
    double folded = 0, bricks = 0;
    if (status == MAP_OK)
        status = forecast_fold(&other, &folded);
    if (status == MAP_OK)
        status = forecast_hierarchical(&other, &bricks);
    if (status == MAP_OK)
        *traffic = folded < bricks ? folded : bricks;
    return status;
}
