#include "channel/proof.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* -- SHA-256 ----------------------------------------------------------------------------------- */

enum { ROUNDS = 64, LENGTH_AT = SHA256_BLOCK_BYTES - 8 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t word, int by)
{
    return word >> by | word << (32 - by);
}

static uint32_t read_word(const unsigned char *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static void write_word(unsigned char *into, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        into[i] = (unsigned char)(word >> (24 - 8 * i));
}

static void expand(const unsigned char *block, uint32_t words[ROUNDS])
{
    for (int i = 0; i < 16; i++)
        words[i] = read_word(block + 4 * (size_t)i);
    for (int i = 16; i < ROUNDS; i++) {
        const uint32_t old = words[i - 15], late = words[i - 2];
        const uint32_t s0 = rotated(old, 7) ^ rotated(old, 18) ^ old >> 3;
        const uint32_t s1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10;
        words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
}

/* One of 64 rounds (6.2.2, step 3): s[0] to s[7] are the standard's a to h. */
static void mix(uint32_t s[8], uint32_t added)
{
    const uint32_t sum1 = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25);
    const uint32_t sum0 = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22);
    const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const uint32_t first = s[7] + sum1 + choice + added, second = sum0 + majority;
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += first;
    s[0] = first + second;
}

static void compress(uint32_t state[8], const unsigned char *block)
{
    uint32_t words[ROUNDS], working[8];
    expand(block, words);
    memcpy(working, state, sizeof working);
    for (int i = 0; i < ROUNDS; i++)
        mix(working, constants[i] + words[i]);
    for (int i = 0; i < 8; i++)
        state[i] += working[i];
}

void sha256_begin(struct sha256 *message)
{
    /* The same of the square roots of the first 8 primes. */
    *message = (struct sha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                  0x1f83d9ab, 0x5be0cd19},
    };
}

void sha256_add(struct sha256 *message, const void *piece, size_t bytes)
{
    const unsigned char *from = piece;
    while (bytes > 0) {
        const size_t filled = message->bytes % SHA256_BLOCK_BYTES;
        const size_t room = SHA256_BLOCK_BYTES - filled, taken = bytes < room ? bytes : room;
        memcpy(message->block + filled, from, taken);
        message->bytes += taken;
        if (taken == room)
            compress(message->state, message->block);
        from += taken;
        bytes -= taken;
    }
}

void sha256_end(struct sha256 *message, unsigned char digest[SHA256_BYTES])
{
    static const unsigned char padding[SHA256_BLOCK_BYTES] = {0x80};
    const uint64_t bits = 8 * message->bytes;
    const size_t filled = message->bytes % SHA256_BLOCK_BYTES;
    unsigned char length[8];
    write_word(length, (uint32_t)(bits >> 32));
    write_word(length + 4, (uint32_t)bits);
    const size_t until = filled < LENGTH_AT ? LENGTH_AT : LENGTH_AT + SHA256_BLOCK_BYTES;
    sha256_add(message, padding, until - filled);
    sha256_add(message, length, sizeof length);
    for (size_t i = 0; i < 8; i++)
        write_word(digest + 4 * i, message->state[i]);
}

/* -- proof ------------------------------------------------------------------------------------- */

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
