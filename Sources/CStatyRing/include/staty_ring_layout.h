#ifndef STATY_RING_LAYOUT_H
#define STATY_RING_LAYOUT_H

#include <stdint.h>

// For the hot path. Inlined at each call, so that a record goes from registers into the ring. In memory it
// would be written in small parts and read back in large ones, which stalls a processor.
#define STATY_HOT static inline __attribute__((always_inline))

// The layout of the file. All numbers are in the machine's byte order, because a ring is read on the
// machine that wrote it.
//
//   0                     header, then two cache lines a piece         STATY_RING_HEAD bytes
//   STATY_RING_HEAD       the pieces: `records` records each
//   after the pieces      the byte log, `log_bytes` bytes
//
// A lane is one thread's queue: the thread fills a piece from beginning to end, and then another piece. A
// full piece whose records are released is reused.
//
// A position is the number of records (in the log: bytes) since the session began, and never decreases. Its
// place in the piece or log is the position modulo the size, which is a power of two. The records from
// `tail` up to, but not including, `head` are published and not released.
//
// Swift cannot import atomic types or alignments. So fields that several threads use are plain integers,
// accessed with the compiler's atomic builtins, and padding aligns the structures. The mapping begins at a
// page, so a multiple of 64 bytes is the beginning of a cache line.

#define STATY_RING_MAGIC 0x676e695279746174ull      // "tatyRing"
#define STATY_RING_UNFINISHED 0x77654e5279746174ull // "tatyRNew": the file was not completed
#define STATY_RING_VERSION 4u
#define STATY_RING_HEAD 16384u
#define STATY_RING_MAX_PIECES 64u
#define STATY_LOG_MAX_BYTES (1u << 30)

// In `flags`: the byte log has a note for this record.
#define STATY_RECORD_HAS_DETAILS 1u
// In `flags`: the event's payload was left out, because there was little room.
#define STATY_RECORD_PAYLOAD_LEFT_OUT 2u
// In `flags`, two bits: the part of the event `inside` in which this event happened.
#define STATY_RECORD_PART_SHIFT 2u
#define STATY_RECORD_PART_MASK 12u

// One event. The put sets `thread` and `check`.
//
// `inside` and `cause` are other events, as distances: this record's number minus the other's; 0 for none.
struct staty_record {
  uint64_t number;  // from 1 in this session
  uint64_t time;    // nanoseconds of a clock that continues during sleep
  uint32_t inside;  // the event in which this one happened
  uint32_t cause;   // the event that caused this one, if it is not `inside`
  uint32_t controller, visit, state, instance, origin, site;
  uint8_t kind, reason;
  uint16_t flags;
  uint32_t thread;  // from 1 in this session, in the order of the threads' first puts
  uint64_t check;   // checksum of the fields above, the session, the piece and the position
};

// A counter with a cache line of its own.
struct staty_counter {
  uint64_t value;
  uint64_t unused[7];
};

// How the session ended, if the process ends now.
enum staty_ended {
  staty_ended_killed = 0,
  staty_ended_clean,      // the recorder was closed, or the process exits
  staty_ended_suspended,  // the app was suspended
};

struct staty_ring_header {
  uint64_t magic;
  uint32_t version;
  uint32_t head_bytes;
  uint64_t file_bytes;
  uint32_t pieces;
  uint32_t records;  // in a piece
  uint64_t log_bytes;
  uint64_t unused;
  uint32_t pid;
  uint32_t lanes;          // the last one is shared
  uint8_t session[16];
  uint64_t wall_us;   // the wall clock at the session's beginning, since 1970
  uint64_t began_ns;  // the records' clock at the same moment
  // UTF-8, with a terminating zero if it is shorter than the field.
  char app[160];
  char app_version[96];
  char os[128];
  uint64_t check;     // checksum of the fields above
  uint64_t unnoted;            // events dropped because a note failed
  uint64_t payloads_left_out;  // payloads left out of events that were recorded
  uint64_t stopped;            // last number drawn when recording ended, plus one; 0 before that
  uint64_t unused_line;

  struct staty_counter drawn;            // last number drawn
  struct staty_counter dropped_full;     // records for which the thread got no piece
  struct staty_counter dropped_no_lane;  // records of threads without a lane, when the shared one was full or busy
  struct staty_counter dropped_log_full;
  struct staty_counter dropped_log_busy;
  struct staty_counter dropped_highest;  // highest number of a dropped record
  struct staty_counter released;         // records that the reader released
  struct staty_counter released_highest; // highest number of a released record
  struct staty_counter torn;             // damaged records that the reader skipped
  struct staty_counter ended;            // enum staty_ended
  struct staty_counter log_head;
  struct staty_counter log_tail;
};

struct staty_piece_positions {
  struct staty_counter head;
  struct staty_counter tail;
};

// The beginning of an entry in the log; the bytes follow. An entry begins at a multiple of 8.
struct staty_log_frame {
  uint32_t length;
  uint32_t kind;
  uint64_t id;
  uint64_t frame_check;  // checksum of the fields above, the session and the position
  uint64_t body_check;   // checksum of the bytes, the session and the position
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

// Each bit of the result depends on both factors. A changed byte is missed only if two 64-bit results are
// equal by chance.
STATY_HOT uint64_t staty_mix(uint64_t a, uint64_t b) {
  __uint128_t product = (__uint128_t)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// The salt of a piece's checksums, different for each session and piece.
static inline uint64_t staty_piece_salt(uint64_t session_salt, uint32_t piece) {
  return staty_mix(session_salt ^ 0x9e3779b97f4a7c15ull, piece + 0xd1b54a32d192ed03ull);
}

// A record without its checksum, as words in memory.
struct staty_record_words {
  uint64_t number, time, tree, visit, state, call, what;
};

_Static_assert(
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        && __builtin_offsetof(struct staty_record, check) == sizeof(struct staty_record_words),
    "the words are composed from the fields");

STATY_HOT struct staty_record_words staty_record_words(
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

// The position is included because a page may be old after a loss of power: its records have valid
// checksums, but of earlier positions.
STATY_HOT uint64_t staty_words_check(
    struct staty_record_words record, uint64_t salt, uint64_t position) {
  uint64_t sum = staty_mix(record.number ^ 0xa0761d6478bd642full, record.time ^ salt);
  sum += staty_mix(record.tree ^ 0xe7037ed1a0b428dbull, position ^ salt);
  sum += staty_mix(record.visit ^ 0x8ebc6af09c88c6e3ull, record.state ^ salt);
  sum += staty_mix(record.call ^ 0x589965cc75374cc3ull, record.what ^ salt);
  return sum;
}

STATY_HOT uint64_t staty_record_check(
    const struct staty_record *record, uint64_t salt, uint64_t position) {
  return staty_words_check(staty_record_words(record, record->thread), salt, position);
}

#endif
