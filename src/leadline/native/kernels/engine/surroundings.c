#include "engine/surroundings.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "channel/clock.h"
#include "channel/core_latency.h"
#include "transport/job.h"

/* -- links ------------------------------------------------------------------------------------- */

enum { UNOPENED = -2, PAGE = 4096 };

struct counters {
    char name[IFNAMSIZ];
    uint64_t received, sent;
};

static void make_room(struct links *links)
{
    links->room = links->room * 2 + PAGE;
    links->text = realloc(links->text, links->room);
    if (!links->text) {
        fprintf(stderr, "leadline kernel: no memory for the counters of interfaces\n");
        abort();
    }
}

/* Reads the counters now; leaves them empty where they can't be read. */
static void links_read(struct links *now)
{
    static int counters = UNOPENED;
    ssize_t read = 0;
    if (counters == UNOPENED)
        counters = open("/proc/self/net/dev", O_RDONLY | O_CLOEXEC);
    now->at_ns = clock_now_ns();
    now->length = 0;
    do {
        now->length += (size_t)read;
        if (now->length + PAGE >= now->room)
            make_room(now);
        read = pread(counters, now->text + now->length, PAGE, (off_t)now->length);
    } while (read > 0);
    now->text[now->length] = '\0';
}

/* "  eth0: received packets errs drop fifo frame compressed multicast sent ..." */
static bool parse(const char *line, struct counters *found)
{
    const int read = sscanf(line, " %15[^: ]: %" SCNu64 " %*u %*u %*u %*u %*u %*u %*u %" SCNu64,
                            found->name, &found->received, &found->sent);
    return read == 3 && strcmp(found->name, "lo") != 0;
}

/* The next interface from *line on; *line is then behind it. */
static bool next_link(const char **line, struct counters *found)
{
    while (*line && **line) {
        const char *const this = *line, *const end = strchr(this, '\n');
        *line = end ? end + 1 : NULL;
        if (parse(this, found))
            return true;
    }
    return false;
}

static bool find(const struct links *links, const char *name, struct counters *found)
{
    const char *line = links->text;
    while (next_link(&line, found))
        if (strcmp(found->name, name) == 0)
            return true;
    return false;
}

/* Asked of the interface itself: what lies in /sys is of the namespace that mounted it. Put
   together here because ethtool_cmd_speed shifts an unknown one out of an int. */
static int64_t speed_mbits(const char *name)
{
    struct ethtool_cmd settings = {.cmd = ETHTOOL_GSET};
    struct ifreq request = {.ifr_data = (char *)&settings};
    const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
    const bool known = ioctl(any, SIOCETHTOOL, &request) == 0;
    close(any);
    const uint32_t speed = (uint32_t)settings.speed_hi << 16 | settings.speed;
    return known && speed > 0 && speed != (uint32_t)SPEED_UNKNOWN ? (int64_t)speed : -1;
}

/* Both directions of one interface: a full-duplex link carries its speed each way. */
static void say(FILE *words, const char *separator, const struct counters *before,
                const struct counters *after)
{
    const int64_t speed = speed_mbits(after->name);
    fprintf(words, "%s%s/tx:%" PRIu64 ":%" PRId64, separator, after->name,
            after->sent - before->sent, speed);
    fprintf(words, ",%s/rx:%" PRIu64 ":%" PRId64, after->name, after->received - before->received,
            speed);
}

/*
 * " links_ns=NS links=eth0/tx:BYTES:MBITS,eth0/rx:BYTES:MBITS": the time between two readings,
 * what every interface carried in it, and its own speed in Mbit/s (-1: it doesn't say). Empty where
 * one of the readings is. The caller frees it.
 */
static char *links_words(const struct links *before, const struct links *after)
{
    char *words = NULL;
    size_t length;
    struct counters earlier, later;
    FILE *stream = open_memstream(&words, &length);
    if (before->length > 0 && after->length > 0) {
        const char *line = after->text, *separator = "";
        fprintf(stream, " links_ns=%" PRId64 " links=", after->at_ns - before->at_ns);
        while (next_link(&line, &later)) {
            if (find(before, later.name, &earlier)) {
                say(stream, separator, &earlier, &later);
                separator = ",";
            }
        }
    }
    fclose(stream);
    return words;
}

/* -- surroundings ------------------------------------------------------------------------------ */

/* The rank's own totals innermost: to read the links' is a disturbance itself. */
void surroundings_begin(struct surroundings *around, bool links)
{
    if (links)
        links_read(&around->links_before);
    around->before = disturbance_now();
}

/* The hand-over last: both partners come to it at the same time, and it counts as no disturbance.
 */
void surroundings_end(struct surroundings *around, bool links, int64_t slice, int participants)
{
    around->after = disturbance_now();
    if (links)
        links_read(&around->links_after);
    const int rank = tp_rank();
    around->core_latency_ns =
        core_latency_partner(rank) < participants ? core_latency_ns(slice) : CORE_LATENCY_UNKNOWN;
}

char *surroundings_words(const struct surroundings *around, bool links)
{
    const struct disturbance found = disturbance_between(around->before, around->after);
    char *carried = links ? links_words(&around->links_before, &around->links_after) : strdup("");
    char *words = NULL;
    if (!carried || asprintf(&words,
                             "window_ns=%" PRId64 " run_delay_ns=%" PRId64 " switches=%" PRId64
                             " faults=%" PRId64 " core_latency_ns=%" PRId64 "%s",
                             found.at_ns, found.run_delay_ns, found.switches, found.faults,
                             around->core_latency_ns, carried) < 0)
        abort();
    free(carried);
    return words;
}
