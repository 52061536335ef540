#include "relay/answers.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/batches.h"
#include "channel/control.h"
#include "channel/words.h"
#include "relay/reduction.h"

static const char payload_key[] = " bytes=";

/* Where " bytes=N" is in the line with which a member's stream begins; NULL: nothing follows it. */
static const char *payload_word(const char *line, size_t bytes)
{
    return memmem(line, bytes, payload_key, strlen(payload_key));
}

static size_t payload_bytes(const char *line, size_t bytes)
{
    int64_t follows = 0;
    words_number_after(line, bytes, payload_key, &follows);
    return (size_t)follows;
}

static bool is_of(const struct member *member, size_t line, const struct awaited *awaited)
{
    int64_t id = 0, rank = -1;
    return words_number_after(member->stream.bytes, line, " id=", &id) &&
           words_number_after(member->stream.bytes, line, " rank=", &rank) && id == awaited->id &&
           rank == member->rank;
}

bool answer_is_missing(const struct member *member, const struct awaited *awaited)
{
    return awaited->id > 0 && member->rank < awaited->below && member->answer == 0;
}

bool answer_taken(struct member *member, const struct awaited *awaited)
{
    struct stream *stream = &member->stream;
    stream_fill(stream, SIZE_MAX);
    const size_t line = stream_line(stream);
    if (member->answer == 0 && line > 0) {
        if (!is_of(member, line, awaited))
            return false;
        const size_t follows = payload_bytes(stream->bytes, line);
        if (stream->length - line < follows)
            return true;
        member->line = line;
        member->answer = line + follows;
    }
    return member->answer == 0 || stream->length == member->answer;
}

static void forget(struct member *member)
{
    stream_drop(&member->stream, member->answer);
    member->line = member->answer = 0;
}

static size_t recorded(const struct member *member)
{
    return (member->answer - member->line) / sizeof(struct batch);
}

static bool is_result(const struct member *member)
{
    static const char word[] = "result ";
    const char *line = member->stream.bytes;
    return member->line > strlen(word) && memcmp(line, word, strlen(word)) == 0 &&
           payload_word(line, member->line) &&
           (member->answer - member->line) % sizeof(struct batch) == 0;
}

/* How many batches all of those have that recorded any; 0: there is nothing to reduce. */
static size_t fewest_recorded(const struct member *members, int count)
{
    size_t fewest = 0;
    for (const struct member *one = members; one < members + count; one++) {
        if (one->answer == 0)
            continue;
        if (!is_result(one))
            return 0;
        const size_t batches = recorded(one);
        if (batches > 0 && (fewest == 0 || batches < fewest))
            fewest = batches;
    }
    return fewest;
}

static void reduce(const struct member *members, int count, struct reduced *rows, size_t batches)
{
    bool begun = false;
    for (const struct member *one = members; one < members + count; one++) {
        if (one->answer == 0 || recorded(one) == 0)
            continue;
        (begun ? reduction_add : reduction_begin)(rows, batches, one->rank,
                                                  one->stream.bytes + one->line);
        begun = true;
    }
}

/* "0-15,17": the ranks that recorded. */
static void write_recorded(FILE *to, const struct member *members, int count)
{
    struct ranges ranges = {.to = to};
    for (const struct member *one = members; one < members + count; one++)
        if (one->answer > 0 && recorded(one) > 0)
            ranges_add(&ranges, one->rank);
    ranges_end(&ranges);
}

/* A member's line up to the number of bytes that follow it. */
static void write_head(FILE *to, const struct member *member, size_t bytes)
{
    const char *line = member->stream.bytes;
    const char *word = payload_word(line, member->line);
    fprintf(to, "%.*s%s%zu", (int)(word - line), line, payload_key, bytes);
}

static void write_rest(FILE *to, const struct member *member)
{
    const char *line = member->stream.bytes;
    const char *word = payload_word(line, member->line) + strlen(payload_key);
    const size_t digits = strspn(word, "0123456789");
    fwrite(word + digits, 1, (size_t)(line + member->line - word) - digits, to);
}

static const struct member *lowest_recorded(const struct member *members)
{
    while (members->answer == 0 || recorded(members) == 0)
        members++;
    return members;
}

static void write_answers(FILE *to, const struct member *members, int count,
                          const struct reduced *rows, size_t bytes)
{
    const struct member *lowest = lowest_recorded(members);
    for (const struct member *one = members; one < members + count; one++) {
        if (one->answer == 0)
            continue;
        write_head(to, one, one == lowest ? bytes : 0);
        if (one == lowest) {
            fprintf(to, " columns=%d over=", REDUCED_COLUMNS);
            write_recorded(to, members, count);
        }
        write_rest(to, one);
        if (one == lowest)
            fwrite(rows, 1, bytes, to);
    }
}

/* At least one of them recorded `batches` batches, which is not 0. */
static void send_reduced(const struct member *members, int count, size_t batches)
{
    char *text = NULL;
    size_t bytes = 0;
    struct reduced *rows = malloc(batches * sizeof *rows);
    FILE *to = rows ? open_memstream(&text, &bytes) : NULL;
    if (to) {
        reduce(members, count, rows, batches);
        write_answers(to, members, count, rows, batches * sizeof *rows);
    }
    if (!to || fclose(to) != 0) {
        fprintf(stderr, "leadline relay: no memory for what the ranks answer\n");
        exit(EXIT_FAILURE);
    }
    control_send(text, bytes);
    free(text);
    free(rows);
}

void answers_hand_on(struct member *members, int count, const struct awaited *awaited)
{
    const size_t batches = awaited->reduce ? fewest_recorded(members, count) : 0;
    if (batches > 0)
        send_reduced(members, count, batches);
    for (struct member *one = members; one < members + count; one++) {
        if (batches == 0 && one->answer > 0)
            control_send(one->stream.bytes, one->answer);
        forget(one);
    }
}
