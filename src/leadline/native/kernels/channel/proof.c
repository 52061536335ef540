#include "channel/proof.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The digest of a block (the key with every byte changed by `pad`) and of what follows it. */
static void keyed_digest(const unsigned char key[SHA256_BLOCK_BYTES], unsigned char pad,
                         const void *message, size_t bytes, unsigned char digest[SHA256_BYTES])
{
    struct sha256 hash;
    unsigned char block[SHA256_BLOCK_BYTES];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = key[i] ^ pad;
    sha256_begin(&hash);
    sha256_add(&hash, block, sizeof block);
    sha256_add(&hash, message, bytes);
    sha256_end(&hash, digest);
}

void hmac_sha256(const void *key, size_t key_bytes, const void *message, size_t bytes,
                 unsigned char mac[SHA256_BYTES])
{
    unsigned char block[SHA256_BLOCK_BYTES] = {0}, inner[SHA256_BYTES];
    if (key_bytes <= sizeof block) {
        memcpy(block, key, key_bytes);
    } else {
        struct sha256 hash;
        sha256_begin(&hash);
        sha256_add(&hash, key, key_bytes);
        sha256_end(&hash, block);
    }
    keyed_digest(block, 0x36, message, bytes, inner);
    keyed_digest(block, 0x5c, inner, sizeof inner, mac);
}

static bool read_secret(const char *digits, unsigned char secret[SECRET_BYTES])
{
    if (strlen(digits) != 2 * SECRET_BYTES || strspn(digits, "0123456789abcdef") != strlen(digits))
        return false;
    for (size_t i = 0; i < SECRET_BYTES; i++)
        if (sscanf(digits + 2 * i, "%2hhx", &secret[i]) != 1)
            return false;
    return true;
}

const char *proof_of(const char *nonce, const char *launch, const char *secret)
{
    static char digits[PROOF_LENGTH + 1];
    unsigned char key[SECRET_BYTES], mac[SHA256_BYTES];
    char message[512];
    const int length = snprintf(message, sizeof message, "leadline %s %s", nonce, launch);
    if (!read_secret(secret, key) || length < 0 || (size_t)length >= sizeof message)
        return NULL;
    hmac_sha256(key, sizeof key, message, (size_t)length, mac);
    for (size_t i = 0; i < sizeof mac; i++)
        snprintf(digits + 2 * i, 3, "%02x", mac[i]);
    return digits;
}
