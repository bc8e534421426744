#ifndef STATY_RING_LAYOUT_H
#define STATY_RING_LAYOUT_H

#include <stdint.h>

// Inlined wherever it is called: a record then goes into the ring from registers. Handed over in
// memory, it would be written in small pieces and read back in large ones, for which a processor
// has to wait.
#define STATY_HURRIED static inline __attribute__((always_inline))

// What stands in the file. All numbers are in the machine's own order: a ring is read on the
// machine that wrote it.
//
//   0                     header, then two cache lines a piece         STATY_RING_HEAD bytes
//   STATY_RING_HEAD       the pieces: `records` records each
//   after the pieces      the byte log, `log_bytes` bytes
//
// A thread fills a piece from its beginning to its end, and then another. A piece that was filled and
// released is filled again.
//
// A position counts records (or, in the log, bytes) since the session began and never steps back;
// its place is the position modulo the size, which is a power of two. A piece's records from
// `tail` up to, not including, `head` are published and not yet released.
//
// Fields that several threads use are plain integers accessed with the compiler's atomic
// builtins, and the structures have sizes and places instead of an alignment, so that Swift can
// import them. The mapping begins at a page, so what lies at a multiple of 64 is a cache line.

#define STATY_RING_MAGIC 0x676e695279746174ull      // "tatyRing"
#define STATY_RING_UNFINISHED 0x77654e5279746174ull // "tatyRNew": its creator never came to an end
#define STATY_RING_VERSION 4u
#define STATY_RING_HEAD 16384u
#define STATY_RING_MAX_PIECES 64u
#define STATY_LOG_MAX_BYTES (1u << 30)

// Set in `flags`: details for this number stand in the byte log.
#define STATY_RECORD_HAS_DETAILS 1u
// Set in `flags`: it had a payload, which was left out for want of room.
#define STATY_RECORD_PAYLOAD_LEFT_OUT 2u
// Two bits of `flags`: which call of the event `inside` it happened in.
#define STATY_RECORD_PART_SHIFT 2u
#define STATY_RECORD_PART_MASK 12u

// One event. `thread` and `check` are filled in by the put.
//
// Other events are told by how much smaller their numbers are; 0 is none.
struct staty_record {
  uint64_t number;  // from 1 in this session
  uint64_t time;    // nanoseconds of a clock that counts sleep
  uint32_t inside;  // the event in which it happened, as a distance
  uint32_t cause;   // what caused it, if that is another
  uint32_t controller, visit, state, instance, origin, site;
  uint8_t kind, reason;
  uint16_t flags;
  uint32_t thread;  // from 1 in this session, one for each thread that ever put
  uint64_t check;   // over all of the above, the session, the piece and the position
};

// A counter with a cache line of its own.
struct staty_counter {
  uint64_t value;
  uint64_t unused[7];
};

// How its process would have ended if it were killed now.
enum staty_ended {
  staty_ended_killed = 0,
  staty_ended_clean,      // the owner closed the ring
  staty_ended_suspended,  // it was about to be suspended
};

struct staty_ring_header {
  uint64_t magic;
  uint32_t version;
  uint32_t head_bytes;
  uint64_t file_bytes;
  uint32_t pieces;
  uint32_t records;  // in a piece
  uint64_t log_bytes;
  uint64_t process_start;  // comparable on one machine between two boots, else meaningless
  uint32_t pid;
  uint32_t lanes;          // how many threads could put at a time
  uint8_t session[16];
  uint64_t wall_us;   // since 1970, at the session's beginning
  uint64_t began_ns;  // of the records' clock, at the same moment
  // What is said of the process, in UTF-8, ended by a zero if it is shorter.
  char app[160];
  char app_version[96];
  char os[128];
  uint64_t check;     // over all of the above
  uint64_t unnoted;            // events dropped as what they needed could not be noted
  uint64_t payloads_left_out;  // payloads left out for want of room, their events kept
  uint64_t unused_line[2];

  struct staty_counter drawn;            // highest number known to be drawn
  struct staty_counter dropped_full;     // no piece was free, or the thread had as many as it may
  struct staty_counter dropped_no_lane;  // no lane, and the shared one full or taken
  struct staty_counter dropped_log_full;
  struct staty_counter dropped_log_busy;
  struct staty_counter dropped_highest;  // highest number among the dropped
  struct staty_counter released;         // records that the writer released
  struct staty_counter released_highest; // highest number among them
  struct staty_counter torn;             // records that the writer found damaged
  struct staty_counter ended;            // enum staty_ended
  struct staty_counter log_head;
  struct staty_counter log_tail;
};

struct staty_piece_positions {
  struct staty_counter head;
  struct staty_counter tail;
};

// What precedes the bytes of an entry in the log. An entry begins at a multiple of 8.
struct staty_log_frame {
  uint32_t length;
  uint32_t kind;
  uint64_t id;
  uint64_t frame_check;  // over the above, the session and the position
  uint64_t body_check;   // over the bytes
};

_Static_assert(sizeof(struct staty_record) == 64, "a record is one cache line");
_Static_assert(
    __builtin_offsetof(struct staty_ring_header, drawn) == 512
        && sizeof(struct staty_ring_header) % 64 == 0,
    "counters are cache lines");
_Static_assert(
    sizeof(struct staty_ring_header) + STATY_RING_MAX_PIECES * sizeof(struct staty_piece_positions)
        <= STATY_RING_HEAD,
    "header and positions fit");

// Both factors go into every bit of the result, so a flipped byte in either is noticed unless two
// 64-bit values happen to be equal.
STATY_HURRIED uint64_t staty_mix(uint64_t a, uint64_t b) {
  __uint128_t product = (__uint128_t)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// The salt of a piece: of the session, and different for each piece.
static inline uint64_t staty_piece_salt(uint64_t session_salt, uint32_t piece) {
  return staty_mix(session_salt ^ 0x9e3779b97f4a7c15ull, piece + 0xd1b54a32d192ed03ull);
}

// A record without its check, as it stands in memory.
struct staty_record_words {
  uint64_t number, time, tree, visit, state, call, what;
};

_Static_assert(
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        && __builtin_offsetof(struct staty_record, check) == sizeof(struct staty_record_words),
    "the words of a record are put together from its fields");

STATY_HURRIED struct staty_record_words staty_record_words(
    const struct staty_record *record, uint32_t thread) {
  return (struct staty_record_words){
      record->number,
      record->time,
      (uint64_t)record->inside | (uint64_t)record->cause << 32,
      (uint64_t)record->controller | (uint64_t)record->visit << 32,
      (uint64_t)record->state | (uint64_t)record->instance << 32,
      (uint64_t)record->origin | (uint64_t)record->site << 32,
      (uint64_t)record->kind | (uint64_t)record->reason << 8 | (uint64_t)record->flags << 16
          | (uint64_t)thread << 32,
  };
}

// The position is part of it: after a power loss a page may still hold the lap before, whole and
// sound, and must not be taken for this one.
STATY_HURRIED uint64_t staty_words_check(
    struct staty_record_words record, uint64_t salt, uint64_t position) {
  uint64_t sum = staty_mix(record.number ^ 0xa0761d6478bd642full, record.time ^ salt);
  sum += staty_mix(record.tree ^ 0xe7037ed1a0b428dbull, position ^ salt);
  sum += staty_mix(record.visit ^ 0x8ebc6af09c88c6e3ull, record.state ^ salt);
  sum += staty_mix(record.call ^ 0x589965cc75374cc3ull, record.what ^ salt);
  return sum;
}

STATY_HURRIED uint64_t staty_record_check(
    const struct staty_record *record, uint64_t salt, uint64_t position) {
  return staty_words_check(staty_record_words(record, record->thread), salt, position);
}

#endif
