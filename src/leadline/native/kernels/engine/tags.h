/** Tags of the engine's own messages: below those of patterns' helpers and of fallbacks. */
#ifndef LEADLINE_TAGS_H
#define LEADLINE_TAGS_H

enum {
    TAG_CROSSING = 32732,
    TAG_FIT,
    TAG_PING,
    TAG_GATHER,
    TAG_BARRIER,
    TAG_BROADCAST,
    TAG_MAX,
};

#endif
