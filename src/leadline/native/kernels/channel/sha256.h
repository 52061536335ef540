/** SHA-256 (FIPS 180-4), of messages that come in pieces. */
#ifndef LEADLINE_SHA256_H
#define LEADLINE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK_BYTES = 64 };

/** A message as far as it has come. */
struct sha256 {
    uint32_t state[8];
    uint64_t bytes; /* of the message */
    unsigned char block[SHA256_BLOCK_BYTES];
};

/** An empty message. */
void sha256_begin(struct sha256 *message);

/** Adds a piece, of any length. */
void sha256_add(struct sha256 *message, const void *piece, size_t bytes);

/** The digest of the whole message, which takes no further piece. */
void sha256_end(struct sha256 *message, unsigned char digest[SHA256_BYTES]);

#endif
