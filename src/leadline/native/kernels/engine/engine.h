/** The engine: obeys the control channel, slice by slice. Knows neither patterns nor libraries. */
#ifndef LEADLINE_ENGINE_H
#define LEADLINE_ENGINE_H

/** Says hello, then measures what the control channel asks for until it says "end". */
void eng_serve(void);

#endif
