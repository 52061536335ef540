/** This rank's place in the job, and how the backend fails. */
#ifndef LEADLINE_TRACE_JOB_H
#define LEADLINE_TRACE_JOB_H

/** The job as this process sees it. */
struct job {
    int rank, ranks;
};

extern struct job job;

/** Reads this rank's place from the environment; ends the rank where it makes no sense. */
void job_join(void);

/** The environment variable `name`; ends the rank where it is missing. */
const char *job_told(const char *name);

/** Prints what failed and ends this rank; the front-end ends the others. */
_Noreturn void job_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
