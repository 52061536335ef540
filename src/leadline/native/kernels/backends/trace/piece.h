/** What travels through a pipe: pieces so short that the kernel writes each whole or not at all. */
#ifndef LEADLINE_TRACE_PIECE_H
#define LEADLINE_TRACE_PIECE_H

#include <limits.h>
#include <stdint.h>

enum kind {
    MESSAGE,
    SYNCHRONOUS, /* a message whose receive is to be answered */
    PUT,
    FLAG, /* a put whose last piece sets a word */
    GET,
    FETCH_ADD,
    COMPARE_SWAP,
    ANSWER, /* to any of those that wait for one */
};

/** What goes before the payload of each piece. A sender ends a message before the next begins. */
struct piece {
    int32_t source;
    int32_t kind;
    int32_t tag;
    uint64_t bytes;    /* of payload in this piece */
    uint64_t left;     /* bytes of the message that come in further pieces */
    int64_t depth;     /* of the message */
    uint64_t at;       /* in the target's block: where the payload goes, or the word lies */
    uint64_t word;     /* of FLAG: where it lies */
    uint64_t value;    /* of the word; of GET, bytes; of ANSWER, what was in the word */
    uint64_t expected; /* of COMPARE_SWAP */
};

enum { PAYLOAD_BYTES = PIPE_BUF - sizeof(struct piece) };

#endif
