/** Every way out of flow_run, for a sanitiser that looks for memory that nobody freed. */
#include <math.h>
#include <stdio.h>

#include "flow.h"

enum { TASKS = 400 };

static void refuse(int64_t ended, int *go_on)
{
    (void)ended;
    *go_on = 0;
}

int main(void)
{
    static double delay_s[TASKS], bytes[TASKS], most[TASKS], begun[TASKS], ended[TASKS];
    static int64_t route_starts[TASKS + 1], routes[TASKS], after_starts[TASKS + 1];
    int64_t culprit;
    double capacity = 100;
    for (int task = 0; task < TASKS; task++) {
        bytes[task] = 1 + task;
        most[task] = INFINITY;
        route_starts[task + 1] = task + 1;
    }
    struct flow_graph graph = {
        .resources = 1,
        .capacity = &capacity,
        .tasks = TASKS,
        .delay_s = delay_s,
        .bytes = bytes,
        .most = most,
        .route_starts = route_starts,
        .routes = routes,
        .after_starts = after_starts,
        .after = (const int64_t[]){TASKS - 1},
    };
    const int whole = flow_run(&graph, NULL, begun, ended, &culprit);
    const int stopped = flow_run(&graph, refuse, begun, ended, &culprit);
    after_starts[TASKS] = 1;
    const int circle = flow_run(&graph, NULL, begun, ended, &culprit);
    capacity = 0;
    const int bad = flow_run(&graph, NULL, begun, ended, &culprit);
    printf("%d %d %d %d\n", whole == FLOW_OK, stopped == FLOW_STOPPED, circle == FLOW_CIRCLE,
           bad == FLOW_BAD_CAPACITY);
    return 0;
}
