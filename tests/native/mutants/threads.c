#include "threads.h"

#include <ucontext.h>

#include "mutants.h"
#include "turns.h"

enum { STACK_BYTES = 1 << 21 };

static ucontext_t threads[2];
static int running;
static bool second_runs;

static struct {
    const struct pattern *pattern;
    const struct cell *cell;
    long first, last;
} task;

static void go_on_with(int thread)
{
    const int depth = call_depth, from = running;
    call_depth = 0;
    running = thread;
    swapcontext(&threads[from], &threads[thread]);
    call_depth = depth;
}

static void be_second(void)
{
    task.pattern->second(task.cell, task.first, task.last);
    second_runs = false;
    go_on_with(0);
}

void threads_pass(void)
{
    turns_pass();
    if (second_runs)
        go_on_with(!running);
}

void threads_run(const struct pattern *pattern, const struct cell *cell, long first, long last)
{
    static char stack[STACK_BYTES];
    task.pattern = pattern;
    task.cell = cell;
    task.first = first;
    task.last = last;
    second_runs = true;
    getcontext(&threads[1]);
    threads[1].uc_stack.ss_sp = stack;
    threads[1].uc_stack.ss_size = sizeof stack;
    makecontext(&threads[1], be_second, 0);
    pattern->run(cell, first, last);
    while (second_runs)
        threads_pass();
}
