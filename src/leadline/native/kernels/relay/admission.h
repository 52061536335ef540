/**
 * Who is let in: ranks of the relay's own launch on its host, each once, that prove to be such
 * ("channel/proof.h") and say hello.
 *
 * Bounded are the connections that haven't given their proof, the bytes and the time before it, and
 * the bytes of a hello; strangers are told of to the front-end, by the word for what they were
 * refused for ("stranger forged").
 */
#ifndef LEADLINE_RELAY_ADMISSION_H
#define LEADLINE_RELAY_ADMISSION_H

#include "relay/connections.h"

/** A rank that is let in, and how far it is with its answer to a command. */
struct member {
    int rank;
    struct stream stream;
    size_t line;   /* of its answer, with which `stream` begins; 0: there is none */
    size_t answer; /* the line and the bytes that follow it */
};

/**
 * Lets in `awaited` ranks of a launch of `of`, sends their hellos to the front-end, of which
 * `front` is the socket, and listens no more. Returns them, the lowest rank first. Exits where the
 * front-end hangs up.
 */
struct member *admission_of(int listener, int front, int awaited, int of);

#endif
