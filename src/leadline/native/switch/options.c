#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stations.h"
#include "taps.h"

enum { DEFAULT_LOG = 65536, DEFAULT_QUEUE = 16 << 20 };

static const char USAGE[] =
    "usage: switch --control PATH --ports N --rate BITS_PER_S [--name PREFIX] [--mtu BYTES]\n"
    "    [--medium switched|shared] [--framing ethernet|atm] [--delay-ns NS]\n"
    "    [--queue-bytes BYTES] [--log FRAMES]\n";

struct number {
    const char *name;
    int64_t least, most;
    int64_t *value;
};

static bool complain(const char *name, const char *value)
{
    fprintf(stderr, "leadline switch: %s %s\n%s", name, value ? value : "has no value", USAGE);
    return false;
}

/** Reads a number within its bounds. */
static bool read_number(const struct number *number, const char *text)
{
    char *end;
    errno = 0;
    *number->value = strtoll(text, &end, 10);
    const bool within = *number->value >= number->least && *number->value <= number->most;
    return errno == 0 && *text && !*end && within;
}

/** The place of `text` among two words; -1: neither. */
static int which(const char *text, const char *first, const char *second)
{
    return strcmp(text, first) == 0 ? 0 : strcmp(text, second) == 0 ? 1 : -1;
}

static bool read_word(struct options *options, const char *name, const char *text)
{
    if (strcmp(name, "--name") == 0)
        return (options->name = text)[0] && strlen(text) < 8;
    if (strcmp(name, "--control") == 0)
        return (options->control = text)[0];
    if (strcmp(name, "--medium") == 0) {
        const int sharing = which(text, "switched", "shared");
        options->form.sharing = sharing == 1 ? MEDIUM_SHARED : MEDIUM_SWITCHED;
        return sharing >= 0;
    }
    if (strcmp(name, "--framing") == 0) {
        const int framing = which(text, "ethernet", "atm");
        options->form.framing = framing == 1 ? FRAMING_ATM : FRAMING_ETHERNET;
        return framing >= 0;
    }
    return false;
}

bool options_read(int argc, char **argv, struct options *options)
{
    int64_t ports = 0, mtu = 1500;
    struct medium_form *form = &options->form;
    *options = (struct options){
        .form = {.queue_bytes = DEFAULT_QUEUE}, .log_frames = DEFAULT_LOG, .name = "t"};
    const struct number numbers[] = {
        {"--ports", 1, MOST_PORTS, &ports},
        {"--mtu", 68, MOST_FRAME - ETHERNET_HEADER, &mtu},
        {"--rate", 1, 100000000000, &form->rate_bits_per_s},
        {"--delay-ns", 0, 1000LL * 1000000000, &form->delay_ns},
        {"--queue-bytes", MOST_FRAME, INT64_MAX / 2, &form->queue_bytes},
        {"--log", 0, 1 << 24, &options->log_frames},
    };
    for (int i = 1; i < argc; i += 2) {
        const struct number *number = NULL;
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            if (strcmp(argv[i], numbers[n].name) == 0)
                number = &numbers[n];
        const bool good = argv[i + 1] && (number ? read_number(number, argv[i + 1])
                                                 : read_word(options, argv[i], argv[i + 1]));
        if (!good)
            return complain(argv[i], argv[i + 1]);
    }
    form->ports = (int32_t)ports;
    options->mtu = (int32_t)mtu;
    if (ports == 0 || form->rate_bits_per_s == 0 || !options->control)
        return complain("--ports, --rate and --control", "have no default");
    return true;
}
