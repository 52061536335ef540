/** Lines on stderr, each distinct one once a process. They begin with "leadline: ". */
#ifndef LEADLINE_PRELOAD_SAYING_H
#define LEADLINE_PRELOAD_SAYING_H

/** Says a line, formatted as by printf, without the newline. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The same with "warning: " before it. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
