/* Ten million numbers as text, which a general formatter takes a second for. */
#include "mapping.h"

static char *write_number(int64_t number, char *text)
{
    char digits[MAP_MOST_DIGITS];
    int count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) > 0 && count < MAP_MOST_DIGITS);
    while (count > 0)
        *text++ = digits[--count];
    return text;
}

int64_t map_list_text(const int64_t *numbers, int64_t count, char *text)
{
    char *end = text;
    for (int64_t i = 0; i < count; i++) {
        if (i > 0) {
            *end++ = ',';
            *end++ = ' ';
        }
        end = write_number(numbers[i], end);
    }
    return end - text;
}
