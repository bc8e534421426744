#ifndef STATY_RING_H
#define STATY_RING_H

#include <stddef.h>
#include "staty_ring_put.h"

// Making and ending. The header describes the file, which has `file_bytes`; of its pieces the first `pieces`
// and of its log the first `log_bytes` bytes were written through the file, and no other part may be stored
// into: on a full disk that would end the process. The ring owns the descriptor, and with it the lock on the
// file, from a success on; NULL with errno set if it cannot be mapped.
struct staty_ring *staty_ring_open(
    int descriptor, const struct staty_ring_header *header, uint32_t pieces, uint64_t log_bytes);

// Writes what was not, so that all of it can be used; goes on where an earlier call failed. Any thread, but it
// takes a millisecond or two. 0 with errno set if it could not.
int staty_ring_make_ready(struct staty_ring *ring);

// From now on every put says `dead`. Returns before puts under way have ended; those end as if
// the ring were open.
void staty_ring_stop(struct staty_ring *ring);

// Unmaps, closes the descriptor, frees. No thread may be inside any call with this ring.
void staty_ring_destroy(struct staty_ring *ring);

// Fills in everything that follows from the sizes.
void staty_header_describe(
    struct staty_ring_header *header, uint32_t lanes, uint32_t pieces, uint32_t records,
    uint64_t log_bytes);
uint64_t staty_header_check(const struct staty_ring_header *header);
uint64_t staty_header_salt(const struct staty_ring_header *header);

// When this process started; comparable with another such value from the same boot.
uint64_t staty_process_start(void);

// The byte log. Any thread; waits for another's copy at most some milliseconds, mostly not at all.
enum staty_note {
  staty_note_stored = 0,
  staty_note_full,
  staty_note_busy,
  staty_note_dead,
};

enum staty_note staty_ring_note(
    struct staty_ring *ring, uint32_t kind, uint64_t id, const void *bytes, size_t length);
// Whether so many bytes more would fill the log beyond three quarters, or the calling thread has that
// many of the pieces that it may have. The caller then leaves out what it can spare.
int staty_ring_is_crowded(struct staty_ring *ring, uint64_t bytes);

// Count what was given up before it came to a put.
void staty_ring_count_unnoted(struct staty_ring *ring);
void staty_ring_count_payload_left_out(struct staty_ring *ring);

uint64_t staty_log_frame_check(
    const struct staty_log_frame *frame, uint64_t salt, uint64_t position);
uint64_t staty_log_body_check(const void *bytes, size_t length, uint64_t salt, uint64_t position);

// The writer. One thread at a time.
struct staty_ring_tails {
  uint64_t pieces[STATY_RING_MAX_PIECES];
  uint64_t log;
};

// Copies published records, lowest number first among those at the front of the lanes, into
// `out`; moves `tails` past what it took. Damaged ones are passed over and counted in `torn`.
// Returns how many were copied.
uint32_t staty_ring_take(
    struct staty_ring *ring, struct staty_ring_tails *tails, struct staty_record *out,
    uint32_t capacity, uint32_t *torn);

// Where everything that was not released begins.
struct staty_ring_tails staty_ring_tails(struct staty_ring *ring);

// Makes room: what lies before `tails` may be written over.
void staty_ring_release(
    struct staty_ring *ring, const struct staty_ring_tails *tails, uint64_t count,
    uint64_t highest, uint64_t torn);

// How much of the log is published, and a copy of a part of it.
uint64_t staty_ring_log_head(struct staty_ring *ring);
void staty_ring_log_copy(
    struct staty_ring *ring, uint64_t position, void *out, size_t length);

// Writes, without changing anything, to the header, to what is left of the pieces that lanes fill, and to
// so many of the free pieces that come next, so that producers take no page fault.
void staty_ring_touch_ahead(struct staty_ring *ring, uint32_t pieces);

// Whether any record is published beyond the tails, or anything noted that the writer has not read.
int staty_ring_has_unreleased(struct staty_ring *ring);

// How many records are published beyond the tails.
uint64_t staty_ring_queued(struct staty_ring *ring);

// Waits in the way given until woken or until the time is over; may return early.
// Returns at once if staty_ring_wake was called since the last wait.
void staty_ring_wait(struct staty_ring *ring, enum staty_writer how, uint64_t nanoseconds);

// Ends the writer's wait, or its next one if it does not wait now. Any thread.
void staty_ring_wake(struct staty_ring *ring);

// Counters: read, raised to at least, and set.
static inline uint64_t staty_counter_get(const struct staty_counter *counter) {
  return __atomic_load_n(&counter->value, __ATOMIC_RELAXED);
}

static inline uint64_t staty_word_get(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

void staty_counter_raise(struct staty_counter *counter, uint64_t value);

static inline void staty_ring_note_ended(struct staty_ring *ring, enum staty_ended ended) {
  __atomic_store_n(&ring->header->ended.value, (uint64_t)ended, __ATOMIC_RELAXED);
}

// Whether every put is refused: the ring was stopped, or belongs to this process's parent.
static inline int staty_ring_is_dead(const struct staty_ring *ring) {
  return __atomic_load_n(&ring->identity, __ATOMIC_RELAXED) == STATY_RING_DEAD;
}

// Draws the next number from the counter in the file, for callers that have none of their own.
static inline uint64_t staty_ring_draw(struct staty_ring *ring) {
  return __atomic_add_fetch(&ring->header->drawn.value, 1, __ATOMIC_RELAXED);
}

#endif
