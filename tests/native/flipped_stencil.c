/* The operators of MG, where one coefficient of the residual's has the wrong sign. */
#define LEADLINE_MG_EDGE (-1.0 / 6)
#define stencil_residual __wrap_stencil_residual
#define stencil_subtract __wrap_stencil_subtract
#define stencil_smooth __wrap_stencil_smooth
#define stencil_square __wrap_stencil_square

#include "applications/mg/stencil.c"
