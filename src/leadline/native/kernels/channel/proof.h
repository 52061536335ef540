/**
 * How a rank proves that it belongs to its launch: by an HMAC with SHA-256 (RFC 2104) over what the
 * front-end has drawn for this connection alone. The secret itself never travels.
 */
#ifndef LEADLINE_PROOF_H
#define LEADLINE_PROOF_H

#include <stddef.h>
#include <stdint.h>

/* -- SHA-256 ----------------------------------------------------------------------------------- */

/* FIPS 180-4, of messages that come in pieces. */

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

/* -- proof ------------------------------------------------------------------------------------- */

enum { SECRET_BYTES = 32, PROOF_LENGTH = 2 * SHA256_BYTES };

/** The HMAC of `message` by a key of any length. */
void hmac_sha256(const void *key, size_t key_bytes, const void *message, size_t bytes,
                 unsigned char mac[SHA256_BYTES]);

/**
 * The proof, in hexadecimal digits, of who knows `secret` (SECRET_BYTES as such digits) and is
 * asked by `nonce` in the name of `launch`. NULL where `secret` is no such thing.
 */
const char *proof_of(const char *nonce, const char *launch, const char *secret);

#endif
