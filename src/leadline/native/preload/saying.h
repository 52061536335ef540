/** Lines on stderr, each distinct one once a process, or once a job (saying_asks). They begin with
 * "leadline: ". */
#ifndef LEADLINE_PRELOAD_SAYING_H
#define LEADLINE_PRELOAD_SAYING_H

#include <stdbool.h>

enum { SAYING_NAME_BYTES = 24 };

/** Whether the caller is the first of all processes to claim `name`, which stands for a line. */
typedef bool saying_claim(const char *name);

/** From now on lines are said by the process that claims them first. */
void saying_asks(saying_claim *asked);

/** Says a line, formatted as by printf, without the newline. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The same with "warning: " before it. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
