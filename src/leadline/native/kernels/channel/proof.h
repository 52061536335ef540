/**
 * How a rank proves that it belongs to its launch: by an HMAC with SHA-256 (RFC 2104) over what the
 * front-end has drawn for this connection alone. The secret itself never travels.
 */
#ifndef LEADLINE_PROOF_H
#define LEADLINE_PROOF_H

#include <stddef.h>

#include "channel/sha256.h"

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
