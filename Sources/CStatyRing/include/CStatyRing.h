#ifndef CSTATY_RING_H
#define CSTATY_RING_H

// The flight ring: a mapped file into which any thread puts records of one size, and from which
// one thread, the writer, takes them. `staty_ring_layout.h` says what stands in the file,
// `staty_ring_put.h` how a record gets in, `staty_ring.h` everything that is not hurried.

#include "staty_ring_layout.h"
#include "staty_ring_put.h"
#include "staty_ring.h"

#endif
