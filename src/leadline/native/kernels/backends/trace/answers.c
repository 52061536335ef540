#include "backends/trace/answers.h"

#include <string.h>

#include "backends/trace/outbox.h"

struct answer answer;

void answers_expect(void *to)
{
    answer = (struct answer){.to = to};
}

void answers_take(const struct piece *piece, const char *payload)
{
    if (piece->bytes > 0)
        memcpy(answer.to, payload, piece->bytes);
    answer.to += piece->bytes;
    answer.value = piece->value;
    answer.came = piece->left == 0;
}

void answers_give(int peer, uint64_t value, const void *from, size_t bytes)
{
    outbox_add(peer, (struct piece){.kind = ANSWER, .value = value}, from, bytes, NULL);
}
