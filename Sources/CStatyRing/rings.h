#ifndef STATY_RINGS_H
#define STATY_RINGS_H

#include "CStatyRing.h"

// The rings that this process has open.
void staty_rings_lock(void);
void staty_rings_unlock(void);
// The ring with this identity, or NULL if it is not open any more. Call it under the lock.
struct staty_ring *staty_rings_find(uint64_t identity);
void staty_rings_add(struct staty_ring *ring);
void staty_rings_remove(struct staty_ring *ring);

// The number of pieces that a lane has, and the most that it may have: each other lane can get one.
uint32_t staty_lane_pieces(struct staty_ring *ring, struct staty_lane *lane);
uint32_t staty_lane_most_pieces(struct staty_ring *ring);
void staty_lane_give(struct staty_ring *ring, struct staty_lane *lane, uint32_t piece);

// Adds the piece to the free ones.
void staty_ring_add_piece(struct staty_ring *ring, uint32_t piece);
// Prepares the rest of the ring if that was not done yet. Returns whether this may have made room.
int staty_ring_became_ready(struct staty_ring *ring);

// Whether more than five eighths of the log are in use.
int staty_log_is_filling(struct staty_ring *ring);

// Wakes the reader if it rests or is parked.
void staty_ring_rouse_if_waiting(struct staty_ring *ring);

// Sets the counter to the value if it is lower.
void staty_counter_raise(struct staty_counter *counter, uint64_t value);

// The system's part of waiting.
int staty_wait_prepare(struct staty_ring *ring);
void staty_wait_end(struct staty_ring *ring);

#endif
