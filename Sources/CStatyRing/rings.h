#ifndef STATY_RINGS_H
#define STATY_RINGS_H

#include "CStatyRing.h"

// The rings that this process has open. Not for the hurried path.
void staty_rings_lock(void);
void staty_rings_unlock(void);
// Under the lock: the ring with this identity, if it is still open.
struct staty_ring *staty_rings_find(uint64_t identity);
void staty_rings_add(struct staty_ring *ring);
void staty_rings_remove(struct staty_ring *ring);

// Waiting, as the system does it.
int staty_wait_prepare(struct staty_ring *ring);
void staty_wait_end(struct staty_ring *ring);

#endif
