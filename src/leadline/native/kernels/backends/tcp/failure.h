/** How the backend fails. */
#ifndef LEADLINE_TCP_FAILURE_H
#define LEADLINE_TCP_FAILURE_H

/** Says which rank this is; until then it is rank 0. */
void tcp_fails_as(int rank);

/** Prints what failed and ends this rank; the front-end ends the others. */
_Noreturn void tcp_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
