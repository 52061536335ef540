/** Whether the pipeline found what is there, and nothing else. */
#ifndef LEADLINE_STAP_RESULT_H
#define LEADLINE_STAP_RESULT_H

#include "applications/stap/pipeline.h"
#include "patterns/pattern.h"

/** True if this rank's statistics are those of the reference, to 1e-9 where targets are and far
    from the threshold elsewhere, and on rank 0 the detections gathered; else sets *mismatch. */
bool result_right(const struct pipeline *pipeline, struct mismatch *mismatch);

#endif
