#include "backends/pvm/machine.h"

#include <pvm3.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    TAG_ROUTE = 1 << 20, /* above every tag of a pattern or fallback */
    TAG_EXIT,
    READY_TRIES = 30000, /* 30 s */
    TRY_NS = 1000000,
};

struct machine machine = {.rank = 0, .ranks = 1};

_Noreturn void machine_fail(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "leadline pvm, rank %d: %s\n", machine.rank, text); /* one line, whole */
    exit(EXIT_FAILURE);
}

int machine_checked(int code, const char *call)
{
    if (code >= 0)
        return code;
    if (code == PvmSysErr)
        machine_fail(
            "%s: the daemon (pvmd) of this virtual machine is gone; leadline didn't end it: "
            "see what did (dmesg, if memory ran out), then measure again",
            call);
    machine_fail("%s: %s", call, pvm_strerror());
}

static int number_in(const char *variable)
{
    const char *text = getenv(variable);
    if (!text)
        machine_fail("not started by leadline: %s is missing", variable);
    return atoi(text);
}

/* The place of the variable's word among `words`. */
static int choice_in(const char *variable, const char *const words[], int count)
{
    const char *chosen = getenv(variable);
    for (int i = 0; chosen && i < count; i++)
        if (strcmp(chosen, words[i]) == 0)
            return i;
    machine_fail("not started by leadline: %s is %s", variable, chosen ? chosen : "missing");
}

static void read_settings(void)
{
    static const char *const encodings[] = {"default", "raw", "inplace"};
    static const char *const elements[] = {"bytes", "doubles"};
    static const int codes[] = {PvmDataDefault, PvmDataRaw, PvmDataInPlace};
    machine.rank = number_in("LEADLINE_RANK");
    machine.ranks = number_in("LEADLINE_RANKS");
    if (machine.rank < 0 || machine.rank >= machine.ranks)
        machine_fail("this rank isn't below LEADLINE_RANKS, %d", machine.ranks);
    machine.encoding = codes[choice_in("LEADLINE_PVM_ENCODING", encodings, 3)];
    machine.doubles = choice_in("LEADLINE_PVM_ELEMENTS", elements, 2) == 1;
    machine.tids = calloc((size_t)machine.ranks, sizeof *machine.tids);
    if (!machine.tids)
        machine_fail("no memory for %d ranks", machine.ranks);
}

/* The daemon writes its address into this file when it listens. libpvm would complain before. */
static void wait_for_daemon(void)
{
    const char *folder = getenv("PVM_TMP"), *name = getenv("PVM_VMID");
    char path[4096];
    struct stat address;
    if (!folder)
        machine_fail("not started by leadline: PVM_TMP is missing");
    snprintf(path, sizeof path, "%s/pvmd.%d%s%s", folder, (int)getuid(), name ? "." : "",
             name ? name : "");
    for (int tries = 0; stat(path, &address) != 0 || address.st_size == 0; tries++) {
        if (tries == READY_TRIES)
            machine_fail("no daemon (pvmd) came up; it would have written %s", path);
        nanosleep(&(struct timespec){.tv_nsec = TRY_NS}, NULL);
    }
}

/* What a spawned task prints would end in the daemon's log: it prints where rank 0 does. */
static void print_where_rank_0_does(void)
{
    const char *folder = getenv("LEADLINE_PVM_OUTPUT");
    char path[64];
    for (int fd = STDOUT_FILENO; folder && fd <= STDERR_FILENO; fd++) {
        snprintf(path, sizeof path, "%s/%d", folder, fd);
        if (!freopen(path, "a", fd == STDOUT_FILENO ? stdout : stderr))
            machine_fail("can't print to %s", path);
    }
}

/* Takes the next name off a list like "h1,h1,h2"; NULL where there is no list. */
static char *next_host(char **hosts)
{
    return *hosts ? strsep(hosts, ",") : NULL;
}

/* On `host`, waiting for that to become part of the machine; NULL: wherever PVM likes. */
static void spawn(char *executable, char **words, char *host, int rank)
{
    const struct timespec pause = {.tv_nsec = TRY_NS};
    const int where = host ? PvmTaskHost : PvmTaskDefault;
    int tid = 0;
    for (int tries = 0; pvm_spawn(executable, words, where, host ? host : "", 1, &tid) != 1;
         tries++) {
        if (tid != PvmNoHost || tries == READY_TRIES)
            machine_fail("can't spawn rank %d: pvm_spawn gave error %d", rank, tid);
        nanosleep(&pause, NULL);
    }
}

static void spawn_others(char **argv)
{
    char executable[4096] = "", text[64];
    char *hosts = getenv("LEADLINE_PVM_HOSTS");
    next_host(&hosts); /* that of rank 0 */
    if (readlink("/proc/self/exe", executable, sizeof executable - 1) < 0)
        machine_fail("can't find its own executable");
    snprintf(text, sizeof text, "/proc/%d/fd", (int)getpid());
    setenv("LEADLINE_PVM_OUTPUT", text, 1);
    setenv("PVM_EXPORT", "LEADLINE_PVM_OUTPUT:LEADLINE_RANK", 1); /* the rest is the daemon's too */
    for (int rank = 1; rank < machine.ranks; rank++) {
        snprintf(text, sizeof text, "%d", rank);
        setenv("LEADLINE_RANK", text, 1);
        spawn(executable, argv + 1, next_host(&hosts), rank);
    }
}

static void publish(int tid)
{
    char name[32];
    snprintf(name, sizeof name, MACHINE_GROUP ".%d", machine.rank);
    machine_checked(pvm_initsend(PvmDataDefault), "pvm_initsend");
    machine_checked(pvm_pkint(&tid, 1, 1), "pvm_pkint");
    machine_checked(pvm_putinfo(name, pvm_getsbuf(), PvmMboxDefault), "pvm_putinfo");
}

/* Waits until `rank` has published its task identifier. */
static int tid_of(int rank)
{
    char name[32];
    int tid = 0;
    snprintf(name, sizeof name, MACHINE_GROUP ".%d", rank);
    machine_checked(pvm_recvinfo(name, 0, PvmMboxWaitForInfo), "pvm_recvinfo");
    machine_checked(pvm_upkint(&tid, 1, 1), "pvm_upkint");
    return tid;
}

/* One after the other: the group then knows each task by its rank. */
static void join_group(int tid)
{
    if (machine.rank > 0)
        tid_of(machine.rank - 1);
    const int instance = pvm_joingroup(MACHINE_GROUP);
    if (instance < 0)
        machine_fail(
            "pvm_joingroup: %s. PVM's group server, pvmgs, didn't come up: is it in one of "
            "the folders of the daemon's PVM_PATH (ep= in a hostfile)? That is %s",
            pvm_strerror(), getenv("PVM_PATH") ? getenv("PVM_PATH") : "not set");
    if (instance != machine.rank)
        machine_fail("joined the group as number %d; is another job in it?", instance);
    publish(tid);
    for (int rank = 0; rank < machine.ranks; rank++)
        machine.tids[rank] = tid_of(rank);
}

/* Of each pair the lower rank asks for the link and the other allows it, as by default: where both
   ask, PVM may hang. A link that is there is used both ways from then on. */
static void connect_directly(void)
{
    for (int rank = 0; rank < machine.rank; rank++)
        machine_checked(pvm_recv(machine.tids[rank], TAG_ROUTE), "pvm_recv");
    const int allowed = pvm_setopt(PvmRoute, PvmRouteDirect);
    for (int rank = machine.rank + 1; rank < machine.ranks; rank++) {
        machine_checked(pvm_initsend(PvmDataDefault), "pvm_initsend");
        machine_checked(pvm_send(machine.tids[rank], TAG_ROUTE), "pvm_send");
    }
    pvm_setopt(PvmRoute, allowed);
}

void machine_join(char **argv)
{
    static const char *const routes[] = {"daemon", "direct"}, *const starts[] = {"spmd", "spawn"};
    read_settings();
    const bool direct = choice_in("LEADLINE_PVM_ROUTE", routes, 2) == 1;
    const bool spawn = choice_in("LEADLINE_PVM_START", starts, 2) == 1;
    if (spawn && machine.rank > 0)
        print_where_rank_0_does();
    else
        unsetenv("PVMSOCK"); /* the daemon of whoever started leadline */
    wait_for_daemon();
    const int tid = machine_checked(pvm_mytid(), "pvm_mytid");
    pvm_setopt(PvmAutoErr, 0); /* errors are said here, with what may help */
    if (spawn && machine.rank == 0)
        spawn_others(argv);
    join_group(tid);
    if (direct)
        connect_directly();
}

/* Halting ends every task that hasn't left, by a signal that is meant for others than rank 0. */
void machine_leave(void)
{
    if (machine.rank == 0 && machine.ranks > 1)
        pvm_notify(PvmTaskExit, TAG_EXIT, machine.ranks - 1, machine.tids + 1);
    pvm_barrier(MACHINE_GROUP, machine.ranks);
    if (machine.rank > 0) {
        pvm_exit();
        return;
    }
    for (int rank = 1; rank < machine.ranks; rank++)
        pvm_recv(-1, TAG_EXIT);
    signal(SIGTERM, SIG_IGN);
    pvm_halt();
}
