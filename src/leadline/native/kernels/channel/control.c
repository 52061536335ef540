#include "channel/control.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "channel/machine.h"
#include "channel/proof.h"

/* -- segments ---------------------------------------------------------------------------------- */

/*
 * The files that a rank's library keeps in /dev/shm, removed where the library can't do it itself.
 *
 * A rank that is hung up on ends at once, wherever it is inside its library, which then doesn't
 * remove its segments: they would fill the machine's memory until it is booted. Their names are of
 * the library's making; but who maps or opens one knows it.
 */

static const char shared[] = "/dev/shm/";

/* Whether `name` begins as one of those between the colons of `beginnings`. */
static bool is_a_librarys(const char *name, const char *beginnings)
{
    for (const char *one = beginnings; *one;) {
        const size_t bytes = strcspn(one, ":");
        if (bytes > 0 && strncmp(name, one, bytes) == 0)
            return true;
        one += bytes + (one[bytes] == ':');
    }
    return false;
}

static void remove_if_ours(const char *path, ino_t inode, const char *beginnings)
{
    const char *name = path + strlen(shared);
    struct stat found;
    if (strncmp(path, shared, strlen(shared)) != 0 || strchr(name, '/'))
        return;
    if (is_a_librarys(name, beginnings) && lstat(path, &found) == 0 && S_ISREG(found.st_mode) &&
        found.st_ino == inode && found.st_uid == geteuid())
        unlink(path);
}

static void remove_mapped(const char *beginnings)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t room = 0;
    while (maps && getline(&line, &room, maps) > 0) {
        unsigned long inode;
        int path;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%*s %*s %*s %*s %lu %n", &inode, &path) == 1)
            remove_if_ours(line + path, (ino_t)inode, beginnings);
    }
    free(line);
    if (maps)
        fclose(maps);
}

/* What was made and isn't mapped yet. */
static void remove_open(const char *beginnings)
{
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[512];
        struct stat opened;
        const ssize_t bytes = readlinkat(dirfd(folder), entry->d_name, path, sizeof path - 1);
        if (bytes > 0 && fstat(atoi(entry->d_name), &opened) == 0) {
            path[bytes] = '\0';
            remove_if_ours(path, opened.st_ino, beginnings);
        }
    }
    closedir(folder);
}

/** Removes every file of /dev/shm that this process maps or has open, that is its user's, and whose
    name begins as one of LEADLINE_SEGMENTS ("mpich_shm_:ucx_shm_"; unset: none). For a rank whose
    whole job ends. What can't be removed stays. */
static void segments_remove(void)
{
    const char *beginnings = getenv("LEADLINE_SEGMENTS");
    if (!beginnings)
        return;
    remove_open(beginnings);
    remove_mapped(beginnings);
}

/* -- the channel ------------------------------------------------------------------------------- */

static FILE *commands;
static int outgoing = -1;
static bool scripted;

static _Noreturn void fail(const char *what, const char *which)
{
    fprintf(stderr, "leadline kernel: %s %s: %s\n", what, which, strerror(errno));
    exit(EXIT_FAILURE);
}

static pthread_t main_thread;
static atomic_bool halted;

static void halt(int number)
{
    (void)number;
    atomic_store(&halted, true);
    for (;;)
        pause();
}

/* Else the library might make a segment while those that there are are removed. */
static void halt_main_thread(void)
{
    enum { TRIES = 100, TRY_NS = 1000000 };
    sigaction(SIGRTMAX, &(struct sigaction){.sa_handler = halt}, NULL);
    if (pthread_kill(main_thread, SIGRTMAX) != 0)
        return;
    for (int i = 0; i < TRIES && !atomic_load(&halted); i++)
        nanosleep(&(struct timespec){.tv_nsec = TRY_NS}, NULL);
}

/* The main thread may be halted with a lock that the watcher is about to need, as malloc's. */
static void end_soon_whatever_comes(void)
{
    enum { SOON_S = 2 };
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    signal(SIGALRM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(SOON_S);
}

/* Hydra kills the other ranks as soon as one has ended: these get time to remove what is theirs. */
static _Noreturn void end_as_hung_up(void)
{
    enum { OTHERS_NS = 200000000 };
    segments_remove();
    nanosleep(&(struct timespec){.tv_nsec = OTHERS_NS}, NULL);
    _exit(STATUS_HUNG_UP);
}

static void *wait_for_hang_up(void *nothing)
{
    struct pollfd line = {.fd = outgoing, .events = POLLRDHUP};
    while (poll(&line, 1, -1) < 0 && errno == EINTR)
        ;
    end_soon_whatever_comes();
    halt_main_thread();
    end_as_hung_up();
    return nothing;
}

/* All signals stay with the main thread: the library may rely on its own handlers there. */
static void watch(void)
{
    pthread_t watcher;
    sigset_t all, before;
    main_thread = pthread_self();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    errno = pthread_create(&watcher, NULL, wait_for_hang_up, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (errno)
        fail("can't start a thread to watch", "the control channel");
}

static int connected_by_path(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Whoever is cut off from the front-end, or whose front-end's host lost its power, is hung up on by
   the kernel within two minutes. */
static void ask_after(int fd)
{
    const int on = 1, idle_s = 60, interval_s = 15, times = 4;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof times);
}

static int connected_to(const char *host, const char *port)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    const int on = 1;
    int fd = -1;
    const int unknown = getaddrinfo(host, port, &hints, &found);
    if (unknown) {
        fprintf(stderr, "leadline kernel: can't reach the front-end at %s:%s: %s\n", host, port,
                gai_strerror(unknown));
        exit(EXIT_FAILURE);
    }
    for (struct addrinfo *entry = found; entry && fd < 0; entry = entry->ai_next) {
        fd = socket(entry->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && connect(fd, entry->ai_addr, entry->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    if (fd >= 0)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (fd >= 0)
        ask_after(fd);
    return fd;
}

const char *relay_path(const char *prefix)
{
    static char path[PATH_MAX + HOST_LENGTH];
    snprintf(path, sizeof path, "%s.%s/socket", prefix, machine_here()->host);
    return path;
}

static int connected(const char *address)
{
    char host[256] = "", port[16] = "";
    if (strncmp(address, "unix:", 5) == 0)
        return connected_by_path(address + 5);
    if (strncmp(address, "relay:", 6) == 0)
        return connected_by_path(relay_path(address + 6));
    if (sscanf(address, "%255[^:]:%15[0-9]", host, port) == 2)
        return connected_to(host, port);
    errno = EINVAL;
    fail("LEADLINE_CONTROL is neither unix:path, relay:prefix nor address:port:", address);
}

static const char *required(const char *variable)
{
    const char *value = getenv(variable);
    if (!value) {
        errno = EINVAL;
        fail("not started by leadline, for there is no", variable);
    }
    return value;
}

static const char *next_line(void)
{
    static char *line;
    static size_t room;
    if (getline(&line, &room, commands) < 0)
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    return line;
}

/* Answers what the front-end asks first of whoever connects. */
static void prove(const char *launch, const char *secret)
{
    char nonce[128] = "";
    const char *asked = next_line();
    if (!asked || sscanf(asked, "challenge %127s", nonce) != 1) {
        errno = EPROTO;
        fail("no challenge came from", "the front-end");
    }
    const char *proof = proof_of(nonce, launch, secret);
    if (!proof) {
        errno = EINVAL;
        fail("no proof can be made of", "LEADLINE_SECRET");
    }
    control_say("launch %s %s\n", launch, proof);
}

int control_reach(const char *address)
{
    const char *launch = required("LEADLINE_LAUNCH"), *secret = required("LEADLINE_SECRET");
    outgoing = connected(address);
    if (outgoing < 0)
        fail("can't reach the front-end at", address);
    commands = fdopen(fcntl(outgoing, F_DUPFD_CLOEXEC, 0), "r");
    if (!commands)
        fail("can't read from", address);
    prove(launch, secret);
    return outgoing;
}

int control_connect(const char *address)
{
    control_reach(address);
    watch();
    return outgoing;
}

void control_share(int connection)
{
    outgoing = connection;
}

void control_open(const char *script, const char *records, int rank)
{
    char path[4096];
    scripted = true;
    commands = fopen(script, "re");
    if (!commands)
        fail("can't read the script", script);
    snprintf(path, sizeof path, "%s.%d", records, rank);
    outgoing = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (outgoing < 0)
        fail("can't write", path);
}

/* No "end" came: the front-end hung up, which the thread that watches may see later than this. */
const char *control_next(void)
{
    const char *line = next_line();
    if (!line && !scripted)
        end_as_hung_up();
    return line;
}

void control_send(const void *from, size_t bytes)
{
    const char *next = from;
    while (bytes > 0) {
        const ssize_t sent = write(outgoing, next, bytes);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            fail("can't write to", "the control channel");
        next += sent;
        bytes -= (size_t)sent;
    }
}

void control_say(const char *format, ...)
{
    char *line;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&line, format, arguments);
    va_end(arguments);
    if (length < 0)
        fail("can't say", format);
    control_send(line, (size_t)length);
    free(line);
}
