/** How many repetitions make a batch. */
#ifndef LEADLINE_CALIBRATION_H
#define LEADLINE_CALIBRATION_H

#include "engine/session.h"

/** Repetitions that make a batch of params->batch_ns; the same on all participants. */
long calibrate(struct session *session);

#endif
