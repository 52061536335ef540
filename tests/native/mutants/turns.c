#include "turns.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "channel/clock.h"
#include "channel/disturbance.h"
#include "transport/transport.h"

enum { MOST_RANKS = 16, READING_NS = 100, SECOND_NS = 1000000000 };

/** What ranks share. */
struct page {
    _Atomic uint32_t begun;  /* commands, by all ranks together */
    _Atomic uint32_t turn;   /* whose it is */
    _Atomic uint32_t passed; /* how often it was given on: what is slept on */
    _Atomic int64_t now_ns;
    atomic_bool obeys[MOST_RANKS];
};

static struct page *page;
static uint32_t begun; /* commands, by this rank */
static bool has_turn;

int __real_sched_yield(void);
int __wrap_sched_yield(void);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);
int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
struct disturbance __wrap_disturbance_now(void);

static _Noreturn void give_up(const char *why)
{
    perror(why);
    exit(EXIT_FAILURE);
}

static void name_of_page(char *name, size_t room)
{
    snprintf(name, room, "/leadline-%.200s-turns", getenv("LEADLINE_JOB"));
}

static struct page *mapped(void)
{
    char name[256];
    name_of_page(name, sizeof name);
    const int fd = shm_open(name, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *page) != 0)
        give_up(name);
    void *memory = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        give_up(name);
    close(fd);
    return memory;
}

static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
    __real_syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

static void wake_all(_Atomic uint32_t *word)
{
    __real_syscall(SYS_futex, word, FUTEX_WAKE, MOST_RANKS, NULL, NULL, 0);
}

static void await_turn(void)
{
    for (;;) {
        const uint32_t passed = atomic_load(&page->passed);
        if (atomic_load(&page->turn) == (uint32_t)tp_rank())
            break;
        sleep_while(&page->passed, passed);
    }
    has_turn = true;
}

/* Whether another rank took the turn. */
static bool give_on(void)
{
    const int ranks = tp_size();
    for (int step = 1; step < ranks; step++) {
        const int next = (tp_rank() + step) % ranks;
        if (!atomic_load(&page->obeys[next]))
            continue;
        has_turn = false;
        atomic_store(&page->turn, (uint32_t)next);
        atomic_fetch_add(&page->passed, 1);
        wake_all(&page->passed);
        return true;
    }
    return false;
}

/* By the last one to begin: the others have ended the command before. */
static void let_all_obey(void)
{
    for (int rank = 0; rank < tp_size(); rank++)
        atomic_store(&page->obeys[rank], true);
    atomic_store(&page->turn, 0);
    wake_all(&page->begun);
}

void turns_begin(void)
{
    const uint32_t ranks = (uint32_t)tp_size();
    char name[256];
    turns_end(); /* of a command that was refused */
    if (!page)
        page = mapped();
    uint32_t all = atomic_fetch_add(&page->begun, 1) + 1;
    begun++;
    if (all == begun * ranks)
        let_all_obey();
    for (; all < begun * ranks; all = atomic_load(&page->begun))
        sleep_while(&page->begun, all);
    name_of_page(name, sizeof name);
    shm_unlink(name); /* all have it: a kill leaves nothing behind */
    await_turn();
}

void turns_end(void)
{
    if (!has_turn)
        return;
    atomic_store(&page->obeys[tp_rank()], false);
    has_turn = false;
    give_on();
}

void turns_pass(void)
{
    if (give_on())
        await_turn();
}

/* -- in place of the real ones ------------------------------------------------------------------*/

int __wrap_sched_yield(void)
{
    if (!has_turn)
        return __real_sched_yield();
    turns_pass();
    return 0;
}

/* Whoever sleeps looks again when it has its turn. */
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
    if (!has_turn || number != SYS_futex || b != FUTEX_WAIT)
        return __real_syscall(number, a, b, c, d, e, f);
    turns_pass();
    return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!page)
        return __real_clock_gettime(clock, time);
    const int64_t now = atomic_fetch_add(&page->now_ns, has_turn ? READING_NS : 0);
    *time = (struct timespec){now / SECOND_NS, now % SECOND_NS};
    return 0;
}

/* Nobody waits for a core who has its turn. */
struct disturbance __wrap_disturbance_now(void)
{
    return (struct disturbance){.at_ns = clock_now_ns()};
}
