/**
 * Prints, for each line "KEY MESSAGE" of its input, both in hexadecimal digits, the HMAC of the
 * message by the key; for a line "- MESSAGE" its digest. The message is hashed in pieces, too,
 * which must not matter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/proof.h"

enum { MOST_BYTES = 1 << 20 };

static size_t read_hexadecimal(const char *digits, unsigned char *into)
{
    const size_t bytes = strlen(digits) / 2;
    for (size_t i = 0; i < bytes; i++) { // not all at once: sscanf measures what is left each time
        const char pair[] = {digits[2 * i], digits[2 * i + 1], '\0'};
        into[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    return bytes;
}

static void digest_in_pieces(const unsigned char *message, size_t bytes, size_t piece,
                             unsigned char digest[SHA256_BYTES])
{
    struct sha256 hash;
    sha256_begin(&hash);
    for (size_t done = 0; done < bytes; done += piece)
        sha256_add(&hash, message + done, bytes - done < piece ? bytes - done : piece);
    sha256_end(&hash, digest);
}

static void digest_of(const unsigned char *message, size_t bytes,
                      unsigned char digest[SHA256_BYTES])
{
    static const size_t pieces[] = {1, 63, 64, 65};
    unsigned char again[SHA256_BYTES];
    digest_in_pieces(message, bytes, MOST_BYTES, digest);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        digest_in_pieces(message, bytes, pieces[i], again);
        if (memcmp(digest, again, sizeof again) != 0) {
            fprintf(stderr, "%zu bytes in pieces of %zu have another digest\n", bytes, pieces[i]);
            exit(EXIT_FAILURE);
        }
    }
}

int main(void)
{
    static char line[4 * MOST_BYTES], key[2 * MOST_BYTES], message[2 * MOST_BYTES + 1];
    static unsigned char key_bytes[MOST_BYTES], message_bytes[MOST_BYTES];
    while (fgets(line, sizeof line, stdin)) {
        unsigned char result[SHA256_BYTES];
        message[0] = '\0';
        if (sscanf(line, "%s %s", key, message) < 1)
            return EXIT_FAILURE;
        const size_t bytes = read_hexadecimal(message, message_bytes);
        if (strcmp(key, "-") == 0)
            digest_of(message_bytes, bytes, result);
        else
            hmac_sha256(key_bytes, read_hexadecimal(key, key_bytes), message_bytes, bytes, result);
        for (size_t i = 0; i < sizeof result; i++)
            printf("%02x", result[i]);
        putchar('\n');
    }
    return EXIT_SUCCESS;
}
