/** What one slice is to measure, as the front-end asked for it. */
#ifndef LEADLINE_PARAMS_H
#define LEADLINE_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "patterns/pattern.h"

/** What a command chooses of a pattern's options. */
struct choices {
    int chosen[OPTIONS];      /* index of the word of each option */
    int64_t numbers[OPTIONS]; /* value of each that is a number, or a time in ns */
    struct dims dims;
};

/** The number of a grid's vertices. */
int choices_vertices(struct dims dims);

enum buffers { BUFFERS_ECHO, BUFFERS_SEPARATE, BUFFERS_COLD };

struct params {
    long id;     /* returned with the result */
    bool traced; /* its calls are to be written down, not timed */
    const struct pattern *pattern;
    size_t size_bytes;
    enum buffers buffers;
    enum cadence cadence;
    int64_t slice_ns;   /* time to spend in timed batches, about */
    long repetitions;   /* of every batch; 0: as many as make a batch of `batch_ns` */
    int64_t batch_ns;   /* of a batch, and of a chunk of the warm-up */
    int64_t warm_up_ns; /* to spend in a warm-up that doesn't settle, about */
    long max_batches;   /* the slice ends early when it has this many */
    size_t cold_bytes;  /* region that the cold policy rotates through */
    bool links;         /* whether to say what the network interfaces carried meanwhile */
    int root;           /* of all repetitions, or the first of those that take turns */
    int64_t placement;  /* of the grid's vertices, by its number; 0: vertex and rank are one */
    struct choices choices;
};

/**
 * Reads "key=value key=value ...", however long, into *params; keys are the fields' names, `size`
 * for size_bytes, and those of options. Before them the word "trace" may stand.
 * Returns false and leaves the offending word in `wrong` (of `room` bytes) if there is one.
 */
bool params_parse(const char *line, struct params *params, char *wrong, size_t room);

#endif
