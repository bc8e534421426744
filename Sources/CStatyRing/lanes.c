#include <pthread.h>
#include <stdlib.h>

#include "rings.h"

// Which thread owns which lane. A thread has a list of claims, one for each ring that it has put records
// into. The claim that was used last is cached in `staty_thread_lane`.

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

// Runs when a thread ends. If another destructor puts a record later, that creates a new claim, and POSIX
// calls this again.
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

// Removes the claims on rings that were closed.
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

static struct staty_piece_queue *queue_of(struct staty_ring *ring, struct staty_lane *lane) {
  return &ring->queues[lane - ring->lanes];
}

uint32_t staty_lane_pieces(struct staty_ring *ring, struct staty_lane *lane) {
  struct staty_piece_queue *queue = queue_of(ring, lane);
  // Acquire: the reader has read the entries that it is done with, so they can be written again.
  return queue->given - __atomic_load_n(&queue->done, __ATOMIC_ACQUIRE);
}

uint32_t staty_lane_most_pieces(struct staty_ring *ring) {
  uint32_t pieces = ring->header->pieces, others = ring->lane_count - 1;
  return pieces > others ? pieces - others : 1;
}

// Takes the free piece with the lowest index, so that few pieces are in use and stay in memory. Returns -1
// if there is none.
static int take_free_piece(struct staty_ring *ring) {
  uint64_t bits = __atomic_load_n(&ring->free_pieces, __ATOMIC_RELAXED);
  while (bits != 0) {
    // Acquire: the reader has finished with the piece before it set the bit.
    if (__atomic_compare_exchange_n(
            &ring->free_pieces, &bits, bits & (bits - 1), 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      return __builtin_ctzll(bits);
    }
  }
  return -1;
}

void staty_ring_rouse_if_waiting(struct staty_ring *ring) {
  uint32_t reader = __atomic_load_n(&ring->reader, __ATOMIC_RELAXED);
  if (reader == staty_reader_resting || reader == staty_reader_parked) staty_ring_rouse(ring);
}

// Returns the piece to fill next; -1 if there is none.
static int next_piece(struct staty_ring *ring, struct staty_lane *lane) {
  struct staty_piece_queue *queue = queue_of(ring, lane);
  uint32_t most = staty_lane_most_pieces(ring);
  uint32_t mine = staty_lane_pieces(ring, lane);
  int piece = mine < most ? take_free_piece(ring) : -1;
  if (piece < 0 && mine < most && staty_ring_became_ready(ring)) piece = take_free_piece(ring);
  uint64_t left = __atomic_load_n(&ring->free_pieces, __ATOMIC_RELAXED);
  // Wake a resting reader while there are pieces left.
  if (mine * 2 >= most || (uint32_t)__builtin_popcountll(left) * 2 < ring->header->pieces) {
    staty_ring_rouse_if_waiting(ring);
  }
  if (piece >= 0) return piece;
  // The lane's last piece can be filled again if all its records are released.
  if (mine == 0) return -1;
  uint64_t tail = __atomic_load_n(&lane->positions->tail.value, __ATOMIC_ACQUIRE);
  return tail == lane->head
      ? (int)queue->entries[(queue->given - 1) % STATY_QUEUED_PIECES].piece : -1;
}

void staty_lane_give(struct staty_ring *ring, struct staty_lane *lane, uint32_t piece) {
  uint32_t records = ring->header->records;
  struct staty_piece_positions *positions =
      (struct staty_piece_positions *)(ring->header + 1) + piece;
  lane->positions = positions;
  lane->head = __atomic_load_n(&positions->head.value, __ATOMIC_RELAXED);
  lane->limit = lane->head + records;
  lane->records = ring->records + (size_t)piece * records;
  lane->salt = staty_piece_salt(ring->salt, piece);
  lane->mask = records - 1;
  struct staty_piece_queue *queue = queue_of(ring, lane);
  uint32_t place = queue->given % STATY_QUEUED_PIECES;
  queue->entries[place].piece = piece;
  queue->entries[place].end = lane->limit;
  __atomic_store_n(&queue->given, queue->given + 1, __ATOMIC_RELEASE);
}

static int renew(struct staty_ring *ring, struct staty_lane *lane) {
  int piece = next_piece(ring, lane);
  if (piece >= 0) staty_lane_give(ring, lane, (uint32_t)piece);
  return piece >= 0;
}

// Tries once: if another thread is using the shared lane, the record is dropped, because producers never
// wait.
static enum staty_put put_shared(
    struct staty_ring *ring, uint32_t thread, const struct staty_record *record) {
  struct staty_lane *lane = &ring->lanes[ring->shared_lane];
  int stored = 0;
  if (!__atomic_exchange_n(&lane->owner, 1, __ATOMIC_ACQUIRE)) {
    stored = lane->head != lane->limit || renew(ring, lane);
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

enum staty_put staty_ring_put(struct staty_ring *ring, const struct staty_record *record) {
  uint64_t identity = __atomic_load_n(&ring->identity, __ATOMIC_RELAXED);
  if (identity == STATY_RING_DEAD) return staty_put_dead;
  struct claim *claim = claim_on(ring, identity);
  if (!claim) return put_shared(ring, 0, record);
  if (!claim->lane && __atomic_load_n(&ring->free_lanes, __ATOMIC_RELAXED) != 0) {
    claim->lane = free_lane(ring);
    if (claim->lane) claim->lane->thread = claim->thread;
  }
  if (!claim->lane) return put_shared(ring, claim->thread, record);
  struct staty_lane *lane = claim->lane;
  if (lane->head == lane->limit && !renew(ring, lane)) {
    // All pieces belong to other lanes.
    if (staty_lane_pieces(ring, lane) == 0) return put_shared(ring, claim->thread, record);
    count_drop(ring, &ring->header->dropped_full, record->number);
    return staty_put_full;
  }
  staty_thread_lane = (struct staty_thread_lane){.ring = identity, .lane = lane};
  staty_lane_store(lane, record);
  staty_ring_wake_parked(ring);
  return staty_put_stored;
}
