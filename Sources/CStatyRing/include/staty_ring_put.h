#ifndef STATY_RING_PUT_H
#define STATY_RING_PUT_H

#include "staty_ring_layout.h"

// The hurried part: no lock, no allocation, no system call but the wake-up of a parked writer.
// Not for signal handlers: a handler that interrupts a put must not put into the same ring.

enum staty_put {
  staty_put_stored = 0,
  staty_put_full,     // no piece is free, or the thread has as many as it may; counted
  staty_put_no_lane,  // the thread has no lane, and the shared one was full or taken; counted
  staty_put_dead,     // the ring was closed, or belongs to the process that forked this one
};

enum staty_writer {
  staty_writer_awake = 0,
  staty_writer_resting,  // waits; woken when half of the pieces are full or by staty_ring_wake
  staty_writer_parked,   // waits; woken by the next record too
  staty_writer_pausing,  // waits; woken by staty_ring_wake, not by records
};

// A lane as its producer sees it: the piece that it fills. Only the thread that owns the lane touches
// what comes before `owner`; ownership passes from thread to thread through `owner` (acquire when taken,
// release when given back). The shared lane belongs to the thread that holds its `owner`.
struct staty_lane {
  uint64_t head;   // where the next record goes
  uint64_t limit;  // the end of the piece; equal to `head` if the lane has none
  struct staty_record *records;
  struct staty_piece_positions *positions;
  uint64_t salt;
  uint32_t mask;
  uint32_t thread;  // the owner's number
  uint32_t owner;   // 1 while owned
  uint8_t unused[76];  // so that no two lanes' lines are fetched together
};

_Static_assert(sizeof(struct staty_lane) == 128, "a lane is two cache lines");

// The pieces that a lane was given and the writer has not done with, the oldest first. The lane's owner
// puts in, the writer takes out.
#define STATY_QUEUED_PIECES 128u
struct staty_piece_queue {
  uint32_t given;  // how many the lane was given so far; published with release
  uint32_t done;   // how many of them the writer has done with
  struct {
    uint64_t end;  // the position at which the piece is full
    uint32_t piece;
    uint32_t unused;
  } entries[STATY_QUEUED_PIECES];
};

// Memory of this process, not of the file. The first line is read by every put and written only
// when the writer goes to wait or is woken.
struct staty_ring {
  uint64_t identity;  // never used twice in a process; STATY_RING_DEAD once nothing may be put
  uint32_t writer;    // enum staty_writer
  uint32_t fences;    // 1 if a put must fence before it looks whether the writer is parked
  struct staty_lane *lanes;
  struct staty_ring_header *header;
  uint8_t unused[96];
  // From here on nothing that a hurried put reads.
  uint64_t free_pieces;  // a bit for each that no lane has
  struct staty_piece_queue *queues;  // one a lane
  struct staty_record *records;
  uint64_t salt;
  uint32_t lane_count;
  uint32_t shared_lane;
  uint32_t next_thread;
  uint32_t free_lanes;
  uint32_t wanted;  // staty_ring_wake was called
  uint32_t log_lock;
  uint64_t log_head;
  uint64_t log_read;   // the writer's: up to here it has what was noted
  uint64_t log_ready;  // so many of its bytes were written through the file
  uint32_t ready_pieces;
  uint32_t is_short;   // there was no room to make the rest ready
  uint8_t *log;
  uint64_t mapped_bytes;
  int descriptor;
  int foreign;        // 1 in a child of the process that made the ring
  void *semaphore;    // Apple's systems only
  struct staty_ring *next;
};

_Static_assert(
    __builtin_offsetof(struct staty_ring, free_pieces) == 128, "the hurried part has its lines");

#define STATY_RING_DEAD UINT64_MAX

// The ring into which this thread put last, and its lane there.
struct staty_thread_lane {
  uint64_t ring;
  struct staty_lane *lane;
};

extern _Thread_local struct staty_thread_lane staty_thread_lane;

void staty_ring_rouse(struct staty_ring *ring);

STATY_HURRIED void staty_lane_store(struct staty_lane *lane, const struct staty_record *record) {
  uint64_t head = lane->head;
  struct staty_record *slot = &lane->records[head & lane->mask];
  struct staty_record_words filled = staty_record_words(record, lane->thread);
  uint64_t check = staty_words_check(filled, lane->salt, head);
  __builtin_memcpy(slot, &filled, sizeof filled);
  // Atomic because the writer may touch the word at the same time, see staty_ring_touch_ahead.
  __atomic_store_n(&slot->check, check, __ATOMIC_RELAXED);
  lane->head = head + 1;
  __atomic_store_n(&lane->positions->head.value, head + 1, __ATOMIC_RELEASE);
}

// Wakes the writer if it is parked.
//
// No wake-up is missed. The producer publishes (P), then looks at `writer` (L); the writer says
// that it is parked (S), passes a barrier (B), and looks for published records (C) before it
// sleeps. Without order between P and L, and between S and C, both could see the old value. Where
// the kernel has membarrier, B is a full barrier on every thread of the process: it falls, in each
// producer's own order, somewhere between two instructions. If before L, then L comes after S and
// sees the writer parked: the producer wakes it. If after L, then P comes before B, and C, which
// comes after B, sees the record: the writer does not sleep. The compiler is kept from swapping P
// and L by the signal fence. Elsewhere (`fences`) both sides pass a sequentially consistent fence,
// and one of the two fences comes first in their single order: the same two cases.
// That the sleep itself misses nothing is the futex's (or semaphore's) promise: it sleeps only
// while `writer` still says parked, and the waking thread has changed that first.
STATY_HURRIED void staty_ring_wake_parked(struct staty_ring *ring) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(ring->fences != 0, 0)) __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(
          __atomic_load_n(&ring->writer, __ATOMIC_RELAXED) == staty_writer_parked, 0)) {
    staty_ring_rouse(ring);
  }
}

// The calling thread's lane, if a record has room in it; otherwise staty_ring_put makes room.
STATY_HURRIED struct staty_lane *staty_ring_lane(struct staty_ring *ring) {
  if (__builtin_expect(
          staty_thread_lane.ring != __atomic_load_n(&ring->identity, __ATOMIC_RELAXED), 0)) {
    return 0;
  }
  struct staty_lane *lane = staty_thread_lane.lane;
  return __builtin_expect(lane->head == lane->limit, 0) ? 0 : lane;
}

// Puts a copy of the record into the calling thread's lane, from staty_ring_lane.
STATY_HURRIED void staty_lane_put(
    struct staty_ring *ring, struct staty_lane *lane, const struct staty_record *record) {
  staty_lane_store(lane, record);
  staty_ring_wake_parked(ring);
}

// Puts a copy of the record into the calling thread's lane, or drops and counts it.
enum staty_put staty_ring_put(struct staty_ring *ring, const struct staty_record *record);

#endif
