#include "options.h"

#include <stdio.h>
#include <string.h>

#include "stations.h"
#include "taps.h"
#include "words.h"

enum { DEFAULT_MTU = 1500, DEFAULT_LOG = 65536, DEFAULT_QUEUE = 16 << 20 };
enum { LEAST_MTU = 68, MOST_LOG = 1 << 24 };

static const int64_t MOST_RATE = 100000000000;

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

/** Reads `text` as the option `name`, one of `count` numbers or a word. */
static bool read_option(struct options *options, const struct number *numbers, size_t count,
                        const char *name, const char *text)
{
    for (size_t n = 0; n < count; n++)
        if (strcmp(name, numbers[n].name) == 0)
            return number_read(text, numbers[n].least, numbers[n].most, numbers[n].value);
    return read_word(options, name, text);
}

bool options_read(int argc, char **argv, struct options *options)
{
    int64_t ports = 0, mtu = DEFAULT_MTU;
    struct medium_form *form = &options->form;
    *options = (struct options){
        .form = {.queue_bytes = DEFAULT_QUEUE}, .log_frames = DEFAULT_LOG, .name = "t"};
    const struct number numbers[] = {
        {"--ports", 1, MOST_PORTS, &ports},
        {"--mtu", LEAST_MTU, MOST_FRAME - ETHERNET_HEADER, &mtu},
        {"--rate", 1, MOST_RATE, &form->rate_bits_per_s},
        {"--delay-ns", 0, MOST_DELAY_NS, &form->delay_ns},
        {"--queue-bytes", MOST_FRAME, INT64_MAX / 2, &form->queue_bytes},
        {"--log", 0, MOST_LOG, &options->log_frames},
    };
    for (int i = 1; i < argc; i += 2)
        if (!argv[i + 1] ||
            !read_option(options, numbers, sizeof numbers / sizeof *numbers, argv[i], argv[i + 1]))
            return complain(argv[i], argv[i + 1]);
    form->ports = (int32_t)ports;
    options->mtu = (int32_t)mtu;
    if (ports == 0 || form->rate_bits_per_s == 0 || !options->control)
        return complain("--ports, --rate and --control", "have no default");
    return true;
}
