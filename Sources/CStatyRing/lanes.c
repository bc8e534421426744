#include <pthread.h>
#include <stdlib.h>

#include "rings.h"

// Which thread owns which lane. A thread has a list of claims, one for each ring it ever put into; the
// newest used is cached in `staty_thread_lane`.

_Thread_local struct staty_thread_lane staty_thread_lane;

struct claim {
  uint64_t ring;
  struct staty_lane *lane;  // NULL: the thread uses the shared lane
  uint32_t thread;
  struct claim *next;
};

static pthread_key_t claims_key;
static pthread_once_t claims_once = PTHREAD_ONCE_INIT;
static int claims_usable;

static void give_back(struct claim *claim) {
  struct staty_ring *ring = staty_rings_find(claim->ring);
  if (ring && claim->lane) {
    __atomic_store_n(&claim->lane->owner, 0, __ATOMIC_RELEASE);
    __atomic_add_fetch(&ring->free_lanes, 1, __ATOMIC_RELAXED);
  }
  free(claim);
}

// Runs when a thread ends. A put that comes still later, from another destructor, makes a new
// claim, and POSIX runs this again.
static void end_thread(void *claims) {
  staty_thread_lane.ring = 0;
  staty_rings_lock();
  for (struct claim *claim = claims; claim;) {
    struct claim *next = claim->next;
    give_back(claim);
    claim = next;
  }
  staty_rings_unlock();
}

static void make_key(void) {
  claims_usable = pthread_key_create(&claims_key, end_thread) == 0;
}

// Forgets claims on rings that are no more.
static struct claim *purged(struct claim *claims) {
  staty_rings_lock();
  struct claim **link = &claims;
  while (*link) {
    struct claim *claim = *link;
    if (staty_rings_find(claim->ring)) {
      link = &claim->next;
    } else {
      *link = claim->next;
      free(claim);
    }
  }
  staty_rings_unlock();
  return claims;
}

static struct claim *claim_on(struct staty_ring *ring, uint64_t identity) {
  pthread_once(&claims_once, make_key);
  if (!claims_usable) return NULL;
  struct claim *claims = pthread_getspecific(claims_key);
  for (struct claim *claim = claims; claim; claim = claim->next) {
    if (claim->ring == identity) return claim;
  }
  struct claim *made = malloc(sizeof *made);
  if (!made) return NULL;
  if (claims) claims = purged(claims);
  *made = (struct claim){.ring = identity, .next = claims};
  if (pthread_setspecific(claims_key, made) != 0) {
    pthread_setspecific(claims_key, claims);
    free(made);
    return NULL;
  }
  made->thread = __atomic_add_fetch(&ring->next_thread, 1, __ATOMIC_RELAXED);
  return made;
}

static struct staty_lane *free_lane(struct staty_ring *ring) {
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    if (index == ring->shared_lane) continue;
    struct staty_lane *lane = &ring->lanes[index];
    uint32_t unowned = 0;
    if (__atomic_compare_exchange_n(
            &lane->owner, &unowned, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      __atomic_sub_fetch(&ring->free_lanes, 1, __ATOMIC_RELAXED);
      return lane;
    }
  }
  return NULL;
}

static void count_drop(
    struct staty_ring *ring, struct staty_counter *counter, uint64_t number) {
  __atomic_add_fetch(&counter->value, 1, __ATOMIC_RELAXED);
  staty_counter_raise(&ring->header->dropped_highest, number);
}

// The limit lies half a lane ahead at first, so that a writer that rests is called before the lane
// is full, and the hurried put needs one comparison for both.
static int find_room(struct staty_ring *ring, struct staty_lane *lane) {
  uint64_t tail = __atomic_load_n(&lane->positions->tail.value, __ATOMIC_ACQUIRE);
  uint64_t capacity = (uint64_t)lane->mask + 1;
  uint64_t used = lane->head - tail;
  if (used < capacity / 2) {
    lane->limit = tail + capacity / 2;
    return 1;
  }
  uint32_t writer = __atomic_load_n(&ring->writer, __ATOMIC_RELAXED);
  if (writer == staty_writer_resting || writer == staty_writer_parked) staty_ring_rouse(ring);
  lane->limit = tail + capacity;
  return used < capacity;
}

int staty_lane_has_room(struct staty_ring *ring, struct staty_lane *lane, uint64_t number) {
  if (find_room(ring, lane)) return 1;
  count_drop(ring, &ring->header->dropped_full, number);
  return 0;
}

// One try: a thread that finds the shared lane taken drops its record instead of waiting.
static enum staty_put put_shared(
    struct staty_ring *ring, uint32_t thread, const struct staty_record *record) {
  struct staty_lane *lane = &ring->lanes[ring->shared_lane];
  int stored = 0;
  if (!__atomic_exchange_n(&lane->owner, 1, __ATOMIC_ACQUIRE)) {
    stored = lane->head < lane->limit || find_room(ring, lane);
    if (stored) {
      lane->thread = thread;
      staty_lane_store(lane, record);
    }
    __atomic_store_n(&lane->owner, 0, __ATOMIC_RELEASE);
  }
  if (!stored) {
    count_drop(ring, &ring->header->dropped_no_lane, record->number);
    return staty_put_no_lane;
  }
  staty_ring_wake_parked(ring);
  return staty_put_stored;
}

enum staty_put staty_ring_put_slowly(struct staty_ring *ring, const struct staty_record *record) {
  uint64_t identity = __atomic_load_n(&ring->identity, __ATOMIC_RELAXED);
  if (identity == STATY_RING_DEAD) return staty_put_dead;
  struct claim *claim = claim_on(ring, identity);
  if (!claim) return put_shared(ring, 0, record);
  if (!claim->lane && __atomic_load_n(&ring->free_lanes, __ATOMIC_RELAXED) != 0) {
    claim->lane = free_lane(ring);
    if (claim->lane) claim->lane->thread = claim->thread;
  }
  if (!claim->lane) return put_shared(ring, claim->thread, record);
  staty_thread_lane = (struct staty_thread_lane){.ring = identity, .lane = claim->lane};
  if (claim->lane->head >= claim->lane->limit
      && !staty_lane_has_room(ring, claim->lane, record->number)) {
    return staty_put_full;
  }
  staty_lane_store(claim->lane, record);
  staty_ring_wake_parked(ring);
  return staty_put_stored;
}
