#ifndef CSTATY_RING_H
#define CSTATY_RING_H

// The flight ring: a mapped file into which any thread, a producer, puts records of one size, and from
// which one thread, the reader, takes them. `staty_ring_layout.h` is the layout of the file,
// `staty_ring_put.h` the hot path of a producer, `staty_ring.h` everything else.

#include "staty_ring_layout.h"
#include "staty_ring_put.h"
#include "staty_ring.h"

#endif
