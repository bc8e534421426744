#include <sched.h>
#include <string.h>
#include <time.h>

#include "CStatyRing.h"
#include "rings.h"

// The byte log is used much less often than the lanes: for the first use of a name or a call site, and
// for payloads. So its producers share one head and a lock, which is held for one copy. A thread that
// does not get the lock spins, then yields, then sleeps, because the holder may be waiting for a
// processor. After some milliseconds it gives up, and its event is lost. (With yields alone, a machine
// with five busy threads per processor lost one in a thousand first events.)

enum { attempts = 256, yields = 32, naps = 64 };

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static int try_lock(struct staty_ring *ring) {
  return !__atomic_load_n(&ring->log_lock, __ATOMIC_RELAXED)
      && !__atomic_exchange_n(&ring->log_lock, 1, __ATOMIC_ACQUIRE);
}

static int lock(struct staty_ring *ring) {
  for (int attempt = 0; attempt < attempts; attempt++) {
    if (try_lock(ring)) return 1;
    relax();
  }
  for (int yield = 0; yield < yields; yield++) {
    sched_yield();
    if (try_lock(ring)) return 1;
  }
  for (int nap = 0; nap < naps; nap++) {
    nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    if (try_lock(ring)) return 1;
  }
  return 0;
}

static void unlock(struct staty_ring *ring) {
  __atomic_store_n(&ring->log_lock, 0, __ATOMIC_RELEASE);
}

uint64_t staty_log_body_check(const void *bytes, size_t length, uint64_t salt, uint64_t position) {
  const uint8_t *from = bytes;
  uint64_t sum = staty_mix(salt ^ 0xa0761d6478bd642full, position + 0xe7037ed1a0b428dbull);
  size_t left = length;
  for (; left >= 8; left -= 8, from += 8) {
    uint64_t word;
    memcpy(&word, from, 8);
    sum = staty_mix(sum ^ word, 0x8ebc6af09c88c6e3ull);
  }
  uint64_t word = 0;
  memcpy(&word, from, left);
  return staty_mix(sum ^ word, 0x589965cc75374cc3ull ^ length);
}

uint64_t staty_log_frame_check(
    const struct staty_log_frame *frame, uint64_t salt, uint64_t position) {
  return staty_log_body_check(frame, offsetof(struct staty_log_frame, frame_check), salt, position);
}

static void copy_in(struct staty_ring *ring, uint64_t position, const void *from, size_t length) {
  uint64_t size = ring->header->log_bytes;
  uint64_t place = position & (size - 1);
  size_t first = length < size - place ? length : (size_t)(size - place);
  memcpy(ring->log + place, from, first);
  memcpy(ring->log, (const uint8_t *)from + first, length - first);
}

void staty_ring_log_copy(struct staty_ring *ring, uint64_t position, void *out, size_t length) {
  uint64_t size = ring->header->log_bytes;
  uint64_t place = position & (size - 1);
  size_t first = length < size - place ? length : (size_t)(size - place);
  memcpy(out, ring->log + place, first);
  memcpy((uint8_t *)out + first, ring->log, length - first);
}

uint64_t staty_ring_log_head(struct staty_ring *ring) {
  return __atomic_load_n(&ring->header->log_head.value, __ATOMIC_ACQUIRE);
}

static enum staty_note append(
    struct staty_ring *ring, struct staty_log_frame frame, const void *bytes) {
  uint64_t head = ring->log_head;
  uint64_t used = head - __atomic_load_n(&ring->header->log_tail.value, __ATOMIC_ACQUIRE);
  uint64_t needed = (sizeof frame + (uint64_t)frame.length + 7) & ~7ull;
  if (needed > ring->header->log_bytes - used) return staty_note_full;
  uint64_t ready = __atomic_load_n(&ring->log_ready, __ATOMIC_ACQUIRE);
  if (ready < ring->header->log_bytes && head + needed > ready) return staty_note_full;
  frame.frame_check = staty_log_frame_check(&frame, ring->salt, head);
  frame.body_check = staty_log_body_check(bytes, frame.length, ring->salt, head);
  copy_in(ring, head, &frame, sizeof frame);
  copy_in(ring, head + sizeof frame, bytes, frame.length);
  ring->log_head = head + needed;
  __atomic_store_n(&ring->header->log_head.value, head + needed, __ATOMIC_RELEASE);
  return staty_note_stored;
}

static enum staty_note append_locked(
    struct staty_ring *ring, struct staty_log_frame frame, const void *bytes) {
  if (!lock(ring)) return staty_note_busy;
  enum staty_note outcome = append(ring, frame, bytes);
  unlock(ring);
  return outcome;
}

static void count(struct staty_counter *counter) {
  __atomic_add_fetch(&counter->value, 1, __ATOMIC_RELAXED);
}

// Payloads are left out from three quarters on, and the notes that a reader keeps may fill one half.
int staty_log_is_filling(struct staty_ring *ring) {
  uint64_t tail = __atomic_load_n(&ring->header->log_tail.value, __ATOMIC_ACQUIRE);
  return staty_ring_log_head(ring) - tail > ring->header->log_bytes / 8 * 5;
}

enum staty_note staty_ring_note(
    struct staty_ring *ring, uint32_t kind, uint64_t id, const void *bytes, size_t length) {
  if (__atomic_load_n(&ring->identity, __ATOMIC_RELAXED) == STATY_RING_DEAD) {
    return staty_note_dead;
  }
  enum staty_note outcome = staty_note_full;
  if (length <= STATY_LOG_MAX_BYTES) {
    struct staty_log_frame frame = {.length = (uint32_t)length, .kind = kind, .id = id};
    outcome = append_locked(ring, frame, bytes);
    if (outcome == staty_note_full && staty_ring_became_ready(ring)) {
      outcome = append_locked(ring, frame, bytes);
    }
  }
  if (outcome == staty_note_stored) staty_ring_wake_parked(ring);
  // Wake a resting reader while there is room left.
  if (outcome == staty_note_full || staty_log_is_filling(ring)) staty_ring_rouse_if_waiting(ring);
  if (outcome == staty_note_full) count(&ring->header->dropped_log_full);
  if (outcome == staty_note_busy) count(&ring->header->dropped_log_busy);
  return outcome;
}

static int is_crowded(uint64_t used, uint64_t capacity) { return used > capacity / 4 * 3; }

int staty_ring_is_crowded(struct staty_ring *ring, uint64_t bytes) {
  // The tail is read before the head, so the difference is never negative.
  uint64_t log_tail = __atomic_load_n(&ring->header->log_tail.value, __ATOMIC_ACQUIRE);
  uint64_t log_used = staty_ring_log_head(ring) - log_tail;
  if (bytes > ring->header->log_bytes) return 1;
  if (is_crowded(log_used + bytes, ring->header->log_bytes)) return 1;
  // Only the owner of a lane may read its fields, so a thread without a lane checks only the log.
  if (staty_thread_lane.ring != __atomic_load_n(&ring->identity, __ATOMIC_RELAXED)) return 0;
  struct staty_lane *lane = staty_thread_lane.lane;
  uint64_t records = ring->header->records;
  uint64_t given = staty_lane_pieces(ring, lane) * records;
  return is_crowded(given - (lane->limit - lane->head), staty_lane_most_pieces(ring) * records);
}

void staty_ring_count_unnoted(struct staty_ring *ring) {
  __atomic_add_fetch(&ring->header->unnoted, 1, __ATOMIC_RELAXED);
}

void staty_ring_count_payload_left_out(struct staty_ring *ring) {
  __atomic_add_fetch(&ring->header->payloads_left_out, 1, __ATOMIC_RELAXED);
}
