/** What a kernel says of itself, so that the front-end needn't repeat it. */
#ifndef LEADLINE_DESCRIBE_H
#define LEADLINE_DESCRIBE_H

/** Prints, as JSON on stdout, what this executable can measure; needs no transport. */
void kernel_describe(void);

#endif
