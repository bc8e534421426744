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

// How many pieces a lane has, and may have: one is left to each other lane.
uint32_t staty_lane_pieces(struct staty_ring *ring, struct staty_lane *lane);
uint32_t staty_lane_most_pieces(struct staty_ring *ring);
void staty_lane_give(struct staty_ring *ring, struct staty_lane *lane, uint32_t piece);

// From now on the piece can be given to a lane.
void staty_ring_add_piece(struct staty_ring *ring, uint32_t piece);
// Whether there may be room where there was none, as the ring has just been made ready.
int staty_ring_became_ready(struct staty_ring *ring);

// Waiting, as the system does it.
int staty_wait_prepare(struct staty_ring *ring);
void staty_wait_end(struct staty_ring *ring);

#endif
