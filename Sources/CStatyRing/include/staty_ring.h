#ifndef STATY_RING_H
#define STATY_RING_H

#include <stddef.h>
#include "staty_ring_put.h"

// Maps the file, which the header describes. Only the first `pieces` pieces and the first `log_bytes` bytes
// of the log were written through the file; the ring uses no other part before staty_ring_make_ready,
// because on a full disk a store into it would end the process. If it succeeds, the ring owns the
// descriptor, and with it the lock on the file. Otherwise returns NULL and sets errno.
struct staty_ring *staty_ring_open(
    int descriptor, const struct staty_ring_header *header, uint32_t pieces, uint64_t log_bytes);

// Writes the parts of the file that are not written yet, so that they can be used. Continues where an
// earlier call failed. Call it from any thread; it takes one to two milliseconds. Returns 0 and sets errno
// if it fails.
int staty_ring_make_ready(struct staty_ring *ring);

// From now on every put returns `dead`. Does not wait for puts that have begun; those still store their
// records.
void staty_ring_stop(struct staty_ring *ring);

// Unmaps the file, closes the descriptor and frees the memory. No thread may be in a call with this ring.
void staty_ring_destroy(struct staty_ring *ring);

// Sets the fields that depend on the sizes and on this process.
void staty_header_describe(
    struct staty_ring_header *header, uint32_t lanes, uint32_t pieces, uint32_t records,
    uint64_t log_bytes);
uint64_t staty_header_check(const struct staty_ring_header *header);
uint64_t staty_header_salt(const struct staty_ring_header *header);

// The byte log. Call these from any thread. If other threads are using the log, a note waits some
// milliseconds at most.
enum staty_note {
  staty_note_stored = 0,
  staty_note_full,
  staty_note_busy,
  staty_note_dead,
};

enum staty_note staty_ring_note(
    struct staty_ring *ring, uint32_t kind, uint64_t id, const void *bytes, size_t length);
// Whether the log would be more than three quarters full with these bytes, or the calling thread has used
// three quarters of the records that it may have. The caller then leaves out payloads.
int staty_ring_is_crowded(struct staty_ring *ring, uint64_t bytes);

// Count an event whose note failed, and a payload that was left out.
void staty_ring_count_unnoted(struct staty_ring *ring);
void staty_ring_count_payload_left_out(struct staty_ring *ring);

uint64_t staty_log_frame_check(
    const struct staty_log_frame *frame, uint64_t salt, uint64_t position);
uint64_t staty_log_body_check(const void *bytes, size_t length, uint64_t salt, uint64_t position);

// The reader's calls, from one thread at a time.
//
// The positions up to which the reader has taken records and notes.
struct staty_ring_tails {
  uint64_t pieces[STATY_RING_MAX_PIECES];
  uint64_t log;
};

// Copies published records to `out` and advances `tails`. Takes the record with the lowest number among the
// first ones of all lanes, again and again. Skips damaged records and counts them in `torn`. Returns the
// number of records copied.
uint32_t staty_ring_take(
    struct staty_ring *ring, struct staty_ring_tails *tails, struct staty_record *out,
    uint32_t capacity, uint32_t *torn);

// The positions up to which records and notes are released.
struct staty_ring_tails staty_ring_tails(struct staty_ring *ring);

// Releases the records and notes before `tails`, so that producers can overwrite them.
void staty_ring_release(
    struct staty_ring *ring, const struct staty_ring_tails *tails, uint64_t count,
    uint64_t highest, uint64_t torn);

// The end of the published part of the log, and a copy of a part of the log.
uint64_t staty_ring_log_head(struct staty_ring *ring);
void staty_ring_log_copy(
    struct staty_ring *ring, uint64_t position, void *out, size_t length);

// Writes to the pages that producers will use next, without changing their content, so that producers take
// no page faults: the header, the rest of the pieces in use, and this number of free pieces.
void staty_ring_touch_ahead(struct staty_ring *ring, uint32_t pieces);

// Whether there are published records that are not released, or notes that the reader has not read.
int staty_ring_has_unreleased(struct staty_ring *ring);

// Whether the pieces or the log are half full of what is not released, so that producers end a rest.
int staty_ring_is_filling(struct staty_ring *ring);

// The number of published records that are not released.
uint64_t staty_ring_queued(struct staty_ring *ring);

// Waits until woken, or until the time is over. `how` is the state during the wait, which decides what
// wakes the reader. May return early. Returns at once if staty_ring_wake was called since the last wait.
void staty_ring_wait(struct staty_ring *ring, enum staty_reader how, uint64_t nanoseconds);

// Ends the reader's wait, or its next one if it is not waiting. Call it from any thread.
void staty_ring_wake(struct staty_ring *ring);

// A load that may race with other threads.
static inline uint64_t staty_word_get(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

// If the process exits by itself from now on, the session has ended cleanly.
void staty_ring_watch_exit(struct staty_ring *ring);
void staty_ring_unwatch_exit(struct staty_ring *ring);

static inline void staty_ring_note_ended(struct staty_ring *ring, enum staty_ended ended) {
  __atomic_store_n(&ring->header->ended.value, (uint64_t)ended, __ATOMIC_RELAXED);
}

// Whether every put is refused: the ring was stopped, or this process was forked from its owner.
static inline int staty_ring_is_dead(const struct staty_ring *ring) {
  return __atomic_load_n(&ring->identity, __ATOMIC_RELAXED) == STATY_RING_DEAD;
}

#endif
