#ifndef STATY_RING_PUT_H
#define STATY_RING_PUT_H

#include "staty_ring_layout.h"

// The hot path: no lock, no allocation, and no system call except the wake-up of a parked reader. Do not
// call it in a signal handler, which may interrupt a put into the same ring.

enum staty_put {
  staty_put_stored = 0,
  staty_put_full,     // dropped and counted: the thread got no piece
  staty_put_no_lane,  // dropped and counted: the thread has no lane, and the shared one was full or busy
  staty_put_dead,     // not counted: the ring was stopped, or this process was forked from its owner
};

enum staty_reader {
  staty_reader_awake = 0,
  staty_reader_resting,  // woken by staty_ring_wake, and when the pieces or the log are half full
  staty_reader_parked,   // woken by staty_ring_wake, and by the next record or note
  staty_reader_pausing,  // woken by staty_ring_wake alone
};

// A lane's piece in use. Only the owning thread uses the fields before `owner`. A thread becomes the owner
// by setting `owner` with acquire, and clears it with release: when the thread ends or, for the shared
// lane, after each put.
struct staty_lane {
  uint64_t head;   // where the next record goes
  uint64_t limit;  // the end of the piece; equal to `head` if the lane has none
  struct staty_record *records;
  struct staty_piece_positions *positions;
  uint64_t salt;
  uint32_t mask;
  uint32_t thread;  // the owner's number
  uint32_t owner;   // 1 while owned
  uint8_t unused[76];  // processors fetch cache lines in pairs, so a lane has its own pair
};

_Static_assert(sizeof(struct staty_lane) == 128, "a lane is two cache lines");

// The pieces that a lane has been given and that are not released completely, the oldest first. The lane's
// owner adds to the queue, the reader removes from it.
#define STATY_QUEUED_PIECES 128u
struct staty_piece_queue {
  uint32_t given;  // number of pieces given so far; published with release
  uint32_t done;   // number of them that the reader has removed
  struct {
    uint64_t end;  // the position behind the last record of the piece
    uint32_t piece;
    uint32_t unused;
  } entries[STATY_QUEUED_PIECES];
};

// The process's own memory, not a part of the file. Each put reads the first cache line. It is written only
// when the reader begins to wait or is woken.
struct staty_ring {
  uint64_t identity;  // unique in a process; STATY_RING_DEAD when the ring accepts no more records
  uint32_t reader;    // enum staty_reader
  uint32_t fences;    // 1 if a put needs a fence before it loads `reader`
  struct staty_lane *lanes;
  struct staty_ring_header *header;
  uint8_t unused[96];
  // The hot path does not read the fields below.
  uint64_t free_pieces;  // one bit for each piece
  struct staty_piece_queue *queues;  // one for each lane
  struct staty_record *records;
  uint64_t salt;
  uint32_t lane_count;
  uint32_t shared_lane;
  uint32_t next_thread;
  uint32_t free_lanes;
  uint32_t wake_requested;
  uint32_t log_lock;
  uint64_t log_head;
  uint64_t log_read;   // the position up to which the reader has read the log
  uint64_t log_ready;  // bytes of the log that were written through the file
  uint32_t ready_pieces;
  uint32_t is_short;   // preparing the rest of the file failed
  uint8_t *log;
  uint64_t mapped_bytes;
  int descriptor;
  int foreign;        // 1 in a forked child of the owner
  void *semaphore;    // only on Apple platforms
  struct staty_ring *next;
};

_Static_assert(
    __builtin_offsetof(struct staty_ring, free_pieces) == 128, "the hot path has its own cache lines");

#define STATY_RING_DEAD UINT64_MAX

// The identity of the ring that this thread used last, and the thread's lane in it.
struct staty_thread_lane {
  uint64_t ring;
  struct staty_lane *lane;
};

extern _Thread_local struct staty_thread_lane staty_thread_lane;

// Ends the reader's wait, if it is waiting.
void staty_ring_rouse(struct staty_ring *ring);

STATY_HOT void staty_lane_store(struct staty_lane *lane, const struct staty_record *record) {
  uint64_t head = lane->head;
  struct staty_record *slot = &lane->records[head & lane->mask];
  struct staty_record_words filled = staty_record_words(record, lane->thread);
  uint64_t check = staty_words_check(filled, lane->salt, head);
  __builtin_memcpy(slot, &filled, sizeof filled);
  // Atomic because staty_ring_touch_ahead may write the same word in another thread.
  __atomic_store_n(&slot->check, check, __ATOMIC_RELAXED);
  lane->head = head + 1;
  __atomic_store_n(&lane->positions->head.value, head + 1, __ATOMIC_RELEASE);
}

// Wakes the reader if it is parked.
//
// No wake-up is missed:
// - The producer publishes a record (P), then loads `reader` (L).
// - The reader stores "parked" in `reader` (S), executes a barrier (B), and checks for published records
//   (C) before it sleeps.
// - Without an order between P and L, and between S and C, both sides could see the old value.
// - With the kernel's membarrier, B is a full barrier in every thread of the process. In each producer it
//   falls between two instructions. If it falls before L, then S is before L: the producer sees "parked"
//   and wakes the reader. If it falls after L, then P is before B and B is before C: the reader sees the
//   record and does not sleep. The signal fence keeps the compiler from swapping P and L.
// - Without membarrier (`fences`), each side executes a sequentially consistent fence. One of the two
//   fences is first in their total order, which leads to the same two cases.
// - The futex or semaphore misses nothing: it sleeps only while `reader` is "parked", and a waking thread
//   changes that first.
STATY_HOT void staty_ring_wake_parked(struct staty_ring *ring) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(ring->fences != 0, 0)) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(
          __atomic_load_n(&ring->reader, __ATOMIC_RELAXED) == staty_reader_parked, 0)) {
    staty_ring_rouse(ring);
  }
}

// Returns the calling thread's lane if it has room for a record; otherwise 0, and staty_ring_put makes room.
STATY_HOT struct staty_lane *staty_ring_lane(struct staty_ring *ring) {
  if (__builtin_expect(
          staty_thread_lane.ring != __atomic_load_n(&ring->identity, __ATOMIC_RELAXED), 0)) {
    return 0;
  }
  struct staty_lane *lane = staty_thread_lane.lane;
  return __builtin_expect(lane->head == lane->limit, 0) ? 0 : lane;
}

// Puts a copy of the record into the lane that staty_ring_lane returned.
STATY_HOT void staty_lane_put(
    struct staty_ring *ring, struct staty_lane *lane, const struct staty_record *record) {
  staty_lane_store(lane, record);
  staty_ring_wake_parked(ring);
}

// Puts a copy of the record into the calling thread's lane or the shared one, or drops and counts it.
enum staty_put staty_ring_put(struct staty_ring *ring, const struct staty_record *record);

#endif
