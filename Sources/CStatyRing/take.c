#include <unistd.h>

#include "CStatyRing.h"

// The writer's side. What is published up to a head that was read with acquire stays as it is
// until the tail moves, so it can be read without haste.

struct staty_ring_tails staty_ring_tails(struct staty_ring *ring) {
  struct staty_ring_tails tails = {.log = staty_counter_get(&ring->header->log_tail)};
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    tails.lanes[index] = staty_counter_get(&ring->lanes[index].positions->tail);
  }
  return tails;
}

static const struct staty_record *at(const struct staty_lane *lane, uint64_t position) {
  return &lane->records[position & lane->mask];
}

// Copies the record first and checks the copy: what was checked is what is handed on.
static int copy_sound(
    const struct staty_lane *lane, uint64_t position, struct staty_record *out) {
  *out = *at(lane, position);
  return out->check == staty_record_check(out, lane->salt, position);
}

struct front {
  const struct staty_lane *lane;
  uint64_t *tail;
  uint64_t head;
};

static uint32_t find_fronts(
    struct staty_ring *ring, struct staty_ring_tails *tails, struct front *fronts) {
  uint32_t count = 0;
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    struct staty_lane *lane = &ring->lanes[index];
    uint64_t head = __atomic_load_n(&lane->positions->head.value, __ATOMIC_ACQUIRE);
    if (head == tails->lanes[index]) continue;
    fronts[count++] = (struct front){.lane = lane, .tail = &tails->lanes[index], .head = head};
  }
  return count;
}

static uint32_t lowest(const struct front *fronts, uint32_t count) {
  uint32_t best = 0;
  for (uint32_t index = 1; index < count; index++) {
    if (at(fronts[index].lane, *fronts[index].tail)->number
        < at(fronts[best].lane, *fronts[best].tail)->number) {
      best = index;
    }
  }
  return best;
}

uint32_t staty_ring_take(
    struct staty_ring *ring, struct staty_ring_tails *tails, struct staty_record *out,
    uint32_t capacity, uint32_t *torn) {
  struct front fronts[STATY_RING_MAX_LANES];
  uint32_t count = find_fronts(ring, tails, fronts);
  uint32_t taken = 0;
  while (count > 0 && taken < capacity) {
    uint32_t index = lowest(fronts, count);
    struct front *front = &fronts[index];
    if (copy_sound(front->lane, *front->tail, &out[taken])) {
      taken++;
    } else {
      (*torn)++;
    }
    if (++*front->tail == front->head) *front = fronts[--count];
  }
  return taken;
}

static void add(struct staty_counter *counter, uint64_t value) {
  if (value) __atomic_add_fetch(&counter->value, value, __ATOMIC_RELAXED);
}

void staty_ring_release(
    struct staty_ring *ring, const struct staty_ring_tails *tails, uint64_t count,
    uint64_t highest, uint64_t torn) {
  // Counted before the tails move: after a kill in between, a record is counted as released and
  // still there, which its number tells; never neither.
  add(&ring->header->released, count);
  add(&ring->header->torn, torn);
  staty_counter_raise(&ring->header->released_highest, highest);
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    __atomic_store_n(
        &ring->lanes[index].positions->tail.value, tails->lanes[index], __ATOMIC_RELEASE);
  }
  __atomic_store_n(&ring->header->log_tail.value, tails->log, __ATOMIC_RELEASE);
}

uint64_t staty_ring_queued(struct staty_ring *ring) {
  uint64_t queued = 0;
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    struct staty_lane_positions *positions = ring->lanes[index].positions;
    // The tail first: it only follows the head, so the difference is never negative.
    uint64_t tail = __atomic_load_n(&positions->tail.value, __ATOMIC_ACQUIRE);
    queued += __atomic_load_n(&positions->head.value, __ATOMIC_ACQUIRE) - tail;
  }
  return queued;
}

int staty_ring_has_unreleased(struct staty_ring *ring) {
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    struct staty_lane_positions *positions = ring->lanes[index].positions;
    if (__atomic_load_n(&positions->head.value, __ATOMIC_ACQUIRE) != positions->tail.value) {
      return 1;
    }
  }
  return staty_ring_log_head(ring) != ring->log_read;
}

// A write that changes nothing, yet makes the page writable and present, as write-back takes that
// away. Not an addition of nought: compilers turn that into a load.
static void touch(uint64_t *word) {
  uint64_t value = __atomic_load_n(word, __ATOMIC_RELAXED);
  __atomic_compare_exchange_n(word, &value, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void staty_ring_touch_ahead(struct staty_ring *ring, uint32_t pages) {
  uint32_t stride = (uint32_t)sysconf(_SC_PAGESIZE) / sizeof(struct staty_record);
  touch(&ring->header->log_head.value);
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    struct staty_lane *lane = &ring->lanes[index];
    uint64_t head = __atomic_load_n(&lane->positions->head.value, __ATOMIC_RELAXED);
    if (head == 0 && index != 0) continue;
    touch(&lane->positions->head.value);
    for (uint32_t page = 0; page < pages && page * stride <= lane->mask; page++) {
      touch(&lane->records[(head + page * stride) & lane->mask].check);
    }
  }
}
