/* What is known of a grid's mapping before it is made. */
#include "methods/methods.h"

int map_grid_forecast(const struct map_problem *problem, const struct map_pattern *grid,
                      double *traffic)
{
    struct map_problem other;
    double folded = 0, bricks = 0;
    int status = problem_of_grid(problem, grid, &other);
    if (status == MAP_OK)
        status = forecast_fold(&other, &folded);
    if (status == MAP_OK)
        status = forecast_hierarchical(&other, &bricks);
    if (status == MAP_OK)
        *traffic = folded < bricks ? folded : bricks;
    return status;
}
