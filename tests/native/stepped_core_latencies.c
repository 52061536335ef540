/**
 * Core-to-core latency (channel/core_latency.c) between two ranks that are stepped in virtual time:
 * at each atomic operation and each reading of the clock that rank runs on whose time is the
 * earlier one, so that a scenario always comes to the same.
 *
 * core_latency.c is linked in twice, with FIRST_ and SECOND_ before the names of its functions, so
 * that each rank has variables of its own, and compiled with -fsanitize=thread: what the compiler
 * then calls at each access to memory is here, in place of the sanitizer's library. A plain access
 * to what ranks share ends the program with PLAIN_STATUS.
 *
 * Reads scenarios from the standard input, a line each:
 *
 *   KEPT FAR_NS  NUMBER FIRST COUNT ENDS  NUMBER FIRST COUNT ENDS  TIMES {RANK OP NS} ...
 *
 * If KEPT, pages are as the last scenario left them. A store takes FAR_NS until both ranks see it.
 * Of each rank: its number in the job (-1: it never starts), its first slice and how many it takes,
 * a millisecond after each other, and the operation before which it ends (-1: none). TIMES times a
 * rank, 0 or 1, has no core for NS before its operation number OP. Operations are counted from 0.
 *
 * Prints "SCENARIO RANK SLICE FOUND TOOK OPS" of each slice that a rank took: the latency found and
 * how long that took, in ns, and how many operations the rank had done before.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "channel/core_latency.h"
#include "channel/pages.h"

enum { LOOK_NS = 10, READING_NS = 30, APART_NS = 1000000, PLAIN_STATUS = 3 };
enum { MOST_AWAY = 16, STACK_BYTES = 1 << 16, PAGE_BYTES = 4096, PAGES = 4 };

static const int64_t over = INT64_MAX / 4; /* the time of a rank that has ended */

void FIRST_core_latency_open(int rank);
int64_t FIRST_core_latency_ns(int64_t slice);
void SECOND_core_latency_open(int rank);
int64_t SECOND_core_latency_ns(int64_t slice);

static void (*const opens[])(int) = {FIRST_core_latency_open, SECOND_core_latency_open};
static int64_t (*const takes[])(int64_t) = {FIRST_core_latency_ns, SECOND_core_latency_ns};

/** What a scenario says. */
static struct {
    long far_ns, times_away;
    struct {
        long rank, op, ns;
    } away[MOST_AWAY];
} scenario;

static struct rank {
    long number, first, count, ends;
    ucontext_t context;
    char stack[STACK_BYTES];
    int64_t now_ns; /* when its next operation is done */
    bool looks;     /* that operation stores nothing */
    long ops;
} ranks[2];

static ucontext_t scheduler;
static int running;
static _Alignas(PAGE_BYTES) char pages[PAGES][PAGE_BYTES];

/* -- steps --------------------------------------------------------------------------------------*/

/* Whoever looks at the moment of a store sees it. */
static bool is_next(int rank)
{
    const struct rank *mine = &ranks[rank], *other = &ranks[!rank];
    if (mine->now_ns != other->now_ns)
        return mine->now_ns < other->now_ns;
    return mine->looks != other->looks ? !mine->looks : rank == 0;
}

static void await_turn(void)
{
    if (!is_next(running))
        swapcontext(&ranks[running].context, &scheduler);
}

static void end(void)
{
    ranks[running].now_ns = over;
    swapcontext(&ranks[running].context, &scheduler);
}

/* Returns when the operation, which takes `cost_ns`, is to be done. */
static void step(int64_t cost_ns, bool looks)
{
    struct rank *mine = &ranks[running];
    if (mine->ops == mine->ends)
        end();
    for (int i = 0; i < scenario.times_away; i++)
        if (scenario.away[i].rank == running && scenario.away[i].op == mine->ops)
            mine->now_ns += scenario.away[i].ns;
    mine->ops++;
    mine->now_ns += cost_ns;
    mine->looks = looks;
    await_turn();
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    step(READING_NS, true);
    const int64_t now = ranks[running].now_ns;
    *time = (struct timespec){.tv_sec = now / 1000000000, .tv_nsec = now % 1000000000};
    return 0;
}

void *page_map(const char *variable, int number, size_t bytes)
{
    (void)variable;
    return number < PAGES && bytes <= PAGE_BYTES ? pages[number] : NULL;
}

/* -- what -fsanitize=thread calls ---------------------------------------------------------------*/

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
int64_t __tsan_atomic64_load(const volatile int64_t *at, int order);
void __tsan_atomic64_store(volatile int64_t *at, int64_t value, int order);
int __tsan_atomic64_compare_exchange_strong(volatile int64_t *at, int64_t *expected, int64_t value,
                                            int order, int otherwise);

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void)
{
}

int64_t __tsan_atomic64_load(const volatile int64_t *at, int order)
{
    (void)order;
    step(LOOK_NS, true);
    return *at;
}

void __tsan_atomic64_store(volatile int64_t *at, int64_t value, int order)
{
    (void)order;
    step(scenario.far_ns, false);
    *at = value;
}

int __tsan_atomic64_compare_exchange_strong(volatile int64_t *at, int64_t *expected, int64_t value,
                                            int order, int otherwise)
{
    (void)order, (void)otherwise;
    step(scenario.far_ns, false);
    const int64_t found = *at;
    const bool same = found == *expected;
    if (same)
        *at = value;
    *expected = found;
    return same;
}

static void plain(const void *at)
{
    const char *byte = at;
    if (byte < pages[0] || byte >= pages[PAGES])
        return;
    fprintf(stderr, "a plain access to byte %td of what ranks share\n", byte - pages[0]);
    exit(PLAIN_STATUS);
}

#define PLAIN(bytes)                                                                               \
    void __tsan_read##bytes(void *at);                                                             \
    void __tsan_write##bytes(void *at);                                                            \
    void __tsan_read##bytes(void *at)                                                              \
    {                                                                                              \
        plain(at);                                                                                 \
    }                                                                                              \
    void __tsan_write##bytes(void *at)                                                             \
    {                                                                                              \
        plain(at);                                                                                 \
    }

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

/* -- ranks --------------------------------------------------------------------------------------*/

static void take_slice(long scenario_number, int self, long number)
{
    struct rank *mine = &ranks[self];
    const int64_t begin_ns = (1 + number) * APART_NS;
    mine->now_ns = mine->now_ns < begin_ns ? begin_ns : mine->now_ns;
    mine->looks = true;
    await_turn();
    const int64_t since_ns = mine->now_ns;
    const long slice = mine->first + number, ops = mine->ops;
    const int64_t found = takes[self](slice);
    printf("%ld %d %ld %" PRId64 " %" PRId64 " %ld\n", scenario_number, self, slice, found,
           mine->now_ns - since_ns, ops);
}

static void be_rank(int self, int scenario_number)
{
    opens[self]((int)ranks[self].number);
    for (long number = 0; number < ranks[self].count; number++)
        take_slice(scenario_number, self, number);
    end();
}

static void start(int self, int scenario_number)
{
    struct rank *rank = &ranks[self];
    rank->now_ns = rank->number < 0 ? over : 0;
    rank->ops = 0;
    rank->looks = true;
    getcontext(&rank->context);
    rank->context.uc_stack.ss_sp = rank->stack;
    rank->context.uc_stack.ss_size = sizeof rank->stack;
    makecontext(&rank->context, (void (*)(void))be_rank, 2, self, scenario_number);
}

static void play(int scenario_number)
{
    start(0, scenario_number);
    start(1, scenario_number);
    while (ranks[0].now_ns < over || ranks[1].now_ns < over) {
        running = is_next(0) ? 0 : 1;
        swapcontext(&scheduler, &ranks[running].context);
    }
}

static bool read_rank(struct rank *rank)
{
    return scanf("%ld %ld %ld %ld", &rank->number, &rank->first, &rank->count, &rank->ends) == 4;
}

static bool read_scenario(void)
{
    int kept;
    if (scanf("%d %ld", &kept, &scenario.far_ns) != 2)
        return false;
    if (!kept)
        memset(pages, 0, sizeof pages);
    if (!read_rank(&ranks[0]) || !read_rank(&ranks[1]) || scanf("%ld", &scenario.times_away) != 1 ||
        scenario.times_away > MOST_AWAY)
        abort();
    for (int i = 0; i < scenario.times_away; i++)
        if (scanf("%ld %ld %ld", &scenario.away[i].rank, &scenario.away[i].op,
                  &scenario.away[i].ns) != 3)
            abort();
    return true;
}

int main(void)
{
    for (int number = 0; read_scenario(); number++)
        play(number);
    return EXIT_SUCCESS;
}
