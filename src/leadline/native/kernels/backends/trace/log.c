#include "backends/trace/log.h"

#include <stdio.h>
#include <stdlib.h>

#include "backends/trace/wire.h"
#include "transport/tracing.h"

const char tp_tracing_algorithm[] = "native";

static FILE *stream; /* NULL: nothing is logged */
static char *text;
static size_t text_bytes;
static int64_t depth_now;

static struct {
    char name[80];
    int nested;
} operation;

int64_t log_depth(void)
{
    return depth_now;
}

static void write_line(const char *call, int peer, size_t bytes, size_t number, int64_t depth)
{
    if (stream)
        fprintf(stream, "%s\t%d\t%zu\t%zu\t%lld\t%s\n", call, peer, bytes, number, (long long)depth,
                operation.name);
}

void log_sent(const char *call, int peer, size_t bytes, int tag)
{
    write_line(call, peer, bytes, (size_t)tag, depth_now);
}

void log_found(const char *call, int peer, size_t bytes, int tag, int64_t depth)
{
    write_line(call, peer, bytes, (size_t)tag, depth);
    log_deepen(depth);
}

void log_deepen(int64_t depth)
{
    if (depth >= depth_now)
        depth_now = depth + 1;
}

void log_enter(const char *name, const char *algorithm)
{
    if (operation.nested++ == 0)
        snprintf(operation.name, sizeof operation.name, "%s: %s", name, algorithm);
}

void log_leave(void)
{
    if (--operation.nested == 0)
        operation.name[0] = '\0';
}

void tp_trace_begin(void)
{
    free(text);
    text = NULL;
    stream = open_memstream(&text, &text_bytes);
    if (!stream)
        job_fail("no memory for the log");
    depth_now = 0;
}

void tp_trace_work(size_t flop, size_t bytes)
{
    write_line("work", -1, bytes, flop, depth_now);
}

struct tp_log tp_trace_end(void)
{
    if (fclose(stream) != 0)
        job_fail("no memory for the log");
    stream = NULL;
    return (struct tp_log){text, text_bytes};
}
