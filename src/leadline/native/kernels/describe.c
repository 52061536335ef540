#include "describe.h"

#include <inttypes.h>
#include <stdio.h>

#include "channel/batches.h"
#include "channel/progress.h"
#include "patterns/table.h"

/* What prints a value: a field's own, or one that it finds out from the whole pattern. */
typedef void print(const void *value);

static void print_text(const void *value)
{
    printf("\"%s\"", *(const char *const *)value);
}

static void print_int(const void *value)
{
    printf("%d", *(const int *)value);
}

static void print_size(const void *value)
{
    printf("%zu", *(const size_t *)value);
}

static void print_bool(const void *value)
{
    fputs(*(const bool *)value ? "true" : "false", stdout);
}

static void print_whose_time(const void *value)
{
    static const char *const words[] = {[WHOSE_ROOT] = "root", [WHOSE_SLOWEST] = "slowest rank"};
    print_text(&words[*(const enum whose_time *)value]);
}

static void print_cadence(const void *value)
{
    static const char *const words[] = {
        [CADENCE_STREAMING] = "streaming",
        [CADENCE_ISOLATED] = "isolated",
    };
    print_text(&words[*(const enum cadence *)value]);
}

static void print_windows(const void *value)
{
    static const char *const words[] = {
        [WINDOWS_NONE] = "none",
        [WINDOWS_ONE] = "one",
        [WINDOWS_PER_PAIR] = "pair",
    };
    print_text(&words[*(const enum windows *)value]);
}

static void print_reach(const void *value)
{
    static const char *const words[] = {
        [REACH_NONE] = "none",
        [REACH_FIRST_AXIS] = "first axis",
        [REACH_ALL_AXES] = "all axes",
    };
    print_text(&words[*(const enum reach *)value]);
}

static void print_messages_in_flight(const void *value)
{
    const struct pattern *pattern = value;
    printf("%d", pattern->messages_in_flight > 0 ? pattern->messages_in_flight : 1);
}

/* Of the size, in the larger of the two rooms. */
static void print_blocks(const void *value)
{
    static const int blocks[] = {
        [ROOM_FOR_ONE] = 1,
        [ROOM_PER_RANK] = 0, /* as many as there are */
        [ROOM_PER_NEIGHBOUR] = TP_MOST_NEIGHBOURS,
        [ROOM_PER_THREAD] = MOST_THREADS,
        [ROOM_PER_DIRECTION] = 2, /* along an axis */
    };
    const struct pattern *pattern = value;
    const enum room out = pattern->out_room, in = pattern->in_room;
    print_int(&blocks[out > in ? out : in]);
}

static void print_largest_share(const void *value)
{
    const struct pattern *pattern = value;
    printf("%d", pattern->options & 1u << OPTION_COUNTS ? LARGEST_SHARE : 1);
}

/* Bytes of memory for each byte of payload. */
static void print_stretch(const void *value)
{
    const struct pattern *pattern = value;
    const size_t element = pattern->granularity;
    const bool packed = pattern->form != TP_CONTIGUOUS;
    const size_t taken = packed ? payload_span(pattern->form, element) + element : 1;
    printf("%.1f", (double)taken / (double)(packed ? element : 1));
}

static void print_words(const char *const *words)
{
    printf(", \"words\": [");
    for (const char *const *word = words; *word; word++)
        printf("\"%s\"%s", *word, word[1] ? ", " : "");
    putchar(']');
}

static void print_bounds(const struct option *option)
{
    printf(", \"least\": %" PRId64 ", \"most\": %" PRId64 ", \"default\": %" PRId64, option->least,
           option->most, option->usual);
}

/* {"kind": "number", "least": 1, "most": 1024, "default": 1}; times in ns */
static void print_option(const struct option *option)
{
    static const char *const kinds[] = {
        [OPTION_WORD] = "word",
        [OPTION_DIMS] = "dims",
        [OPTION_NUMBER] = "number",
        [OPTION_TIME] = "time",
    };
    printf("{\"kind\": \"%s\"", kinds[option->kind]);
    if (option->kind == OPTION_WORD)
        print_words(option->words);
    else
        print_bounds(option);
    if (option->needs)
        printf(", \"needs\": \"%s\"", option->needs);
    putchar('}');
}

/* {"op": {"kind": "word", "words": ["sum", "max"]}} */
static void print_options(const void *value)
{
    const struct pattern *pattern = value;
    const char *separator = "";
    putchar('{');
    for (int i = 0; i < OPTIONS; i++) {
        if (!(pattern->options & 1u << i))
            continue;
        printf("%s\"%s\": ", separator, options[i].key);
        print_option(&options[i]);
        separator = ", ";
    }
    putchar('}');
}

static void print_problems(const struct application *application)
{
    const char *const *words = options[application->option].words;
    for (int word = 0; words[word]; word++) {
        const struct problem *one = &application->problems[word];
        printf("%s\"%s\": {\"repetitions\": %d, \"most_ranks\": %d, \"flop\": %zu, \"bytes\": %zu}",
               word ? ", " : "", words[word], one->repetitions, one->most_ranks, one->flop,
               one->bytes);
    }
}

/* {"option": "class", "powers_of_two": true, "problems": {"S": {"repetitions": 4, ...}, ...}} */
static void print_application(const void *value)
{
    const struct application *application = ((const struct pattern *)value)->application;
    if (!application) {
        printf("null");
        return;
    }
    printf("{\"option\": \"%s\", \"powers_of_two\": ", options[application->option].key);
    print_bool(&application->powers_of_two);
    printf(", \"problems\": {");
    print_problems(application);
    printf("}}");
}

struct field {
    const char *name;
    print *print;
    size_t offset; /* of the value that `print` takes, in struct pattern */
};

/* The compiler finds what prints a member by its type. */
#define PRINT(member)                                                                              \
    _Generic(((struct pattern *)0)->member,                                                        \
        const char *: print_text,                                                                  \
        int: print_int,                                                                            \
        size_t: print_size,                                                                        \
        bool: print_bool,                                                                          \
        enum whose_time: print_whose_time,                                                         \
        enum cadence: print_cadence,                                                               \
        enum windows: print_windows,                                                               \
        enum reach: print_reach)
#define FIELD(member) {#member, PRINT(member), offsetof(struct pattern, member)}
#define FOUND_OUT(name) {#name, print_##name, 0}

static const struct field fields[] = {
    FIELD(name),
    FIELD(summary),
    FIELD(algorithm),
    FIELD(participants),
    FIELD(in_pairs),
    FIELD(messages_per_repetition),
    FOUND_OUT(messages_in_flight),
    FIELD(windows),
    FIELD(one_buffer),
    FIELD(granularity),
    FIELD(least_bytes),
    FIELD(keeps_input),
    FOUND_OUT(blocks),
    FOUND_OUT(largest_share),
    FOUND_OUT(stretch),
    FIELD(axes),
    FIELD(reach),
    FIELD(threads),
    FIELD(whose_time),
    FIELD(cadence),
    FOUND_OUT(options),
    FOUND_OUT(application),
};
enum { FIELDS = sizeof fields / sizeof *fields };

static void describe_pattern(const struct pattern *pattern)
{
    for (int i = 0; i < FIELDS; i++) {
        printf("%s\"%s\": ", i ? ", " : "  {", fields[i].name);
        fields[i].print((const char *)pattern + fields[i].offset);
    }
    putchar('}');
}

static void describe_channel(void)
{
    printf("\"phases\": [");
    for (int i = 0; i < PHASES; i++)
        printf("%s\"%s\"", i ? ", " : "", phase_names[i]);
    printf("], \"flags\": {");
    for (const struct flag *flag = batch_flags; flag->name; flag++)
        printf("\"%s\": %d%s", flag->name, flag->value, flag[1].name ? ", " : "");
    printf("}, ");
}

static void describe_backend(void)
{
    printf("\"backend\": \"%s\", ", tp_backend);
    printf("\"carries_payload\": %s, ", tp_carries_payload ? "true" : "false");
    printf("\"max_message_bytes\": %zu, ", tp_max_message_bytes);
    printf("\"tracing\": \"%s\", ", tp_tracing_algorithm);
}

static void describe_limits(void)
{
}

void kernel_describe(void)
{
    putchar('{');
    describe_backend();
    describe_limits();
    describe_channel();
    printf("\"patterns\": [\n");
    for (const struct pattern *const *entry = patterns; *entry; entry++) {
        describe_pattern(*entry);
        puts(entry[1] ? "," : "");
    }
    puts("]}");
}
