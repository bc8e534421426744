#include <unistd.h>

#include "rings.h"

// The reader's side. Records before a head that was read with acquire do not change until the tail moves.

static struct staty_piece_positions *positions_of(struct staty_ring *ring, uint32_t piece) {
  return (struct staty_piece_positions *)(ring->header + 1) + piece;
}

static uint64_t head_of(struct staty_ring *ring, uint32_t piece) {
  return __atomic_load_n(&positions_of(ring, piece)->head.value, __ATOMIC_ACQUIRE);
}

struct staty_ring_tails staty_ring_tails(struct staty_ring *ring) {
  struct staty_ring_tails tails = {.log = staty_word_get(&ring->header->log_tail.value)};
  for (uint32_t piece = 0; piece < ring->header->pieces; piece++) {
    tails.pieces[piece] = staty_word_get(&positions_of(ring, piece)->tail.value);
  }
  return tails;
}

// The next record of a lane. It is in the lane's oldest piece that has records left.
struct front {
  struct staty_piece_queue *queue;
  uint32_t done;  // like the queue's, but for this call of staty_ring_take alone
  uint32_t piece;
  uint64_t salt;  // of the piece
  uint64_t *tail;
  uint64_t head;
  uint64_t number;  // of the record
};

static const struct staty_record *at(
    struct staty_ring *ring, uint32_t piece, uint64_t position) {
  uint32_t records = ring->header->records;
  return &ring->records[(size_t)piece * records + (position & (records - 1))];
}

// Skips pieces that were taken completely, except the lane's last one. A lane can be given the same piece again:
// then its tail may be behind the end of the first time.
static uint32_t step_over(
    const struct staty_piece_queue *queue, uint32_t done, const struct staty_ring_tails *tails) {
  uint32_t given = __atomic_load_n(&queue->given, __ATOMIC_ACQUIRE);
  while (given - done > 1) {
    uint32_t place = done % STATY_QUEUED_PIECES;
    if (tails->pieces[queue->entries[place].piece] < queue->entries[place].end) break;
    done++;
  }
  return done;
}

// Finds the lane's next record; returns 0 if none is published.
static int advance(struct staty_ring *ring, struct staty_ring_tails *tails, struct front *front) {
  front->done = step_over(front->queue, front->done, tails);
  front->piece = front->queue->entries[front->done % STATY_QUEUED_PIECES].piece;
  front->salt = staty_piece_salt(ring->salt, front->piece);
  front->tail = &tails->pieces[front->piece];
  front->head = head_of(ring, front->piece);
  if (*front->tail == front->head) return 0;
  front->number = at(ring, front->piece, *front->tail)->number;
  return 1;
}

static uint32_t find_fronts(
    struct staty_ring *ring, struct staty_ring_tails *tails, struct front *fronts) {
  uint32_t count = 0;
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    struct staty_piece_queue *queue = &ring->queues[index];
    if (__atomic_load_n(&queue->given, __ATOMIC_ACQUIRE) == queue->done) continue;
    struct front front = {.queue = queue, .done = queue->done};
    if (advance(ring, tails, &front)) fronts[count++] = front;
  }
  return count;
}

static uint32_t lowest(const struct front *fronts, uint32_t count) {
  uint32_t best = 0;
  for (uint32_t index = 1; index < count; index++) {
    if (fronts[index].number < fronts[best].number) best = index;
  }
  return best;
}

// Checks the copy and not the original, so that the checked bytes are those that the caller gets.
static int copy_sound(
    struct staty_ring *ring, const struct front *front, struct staty_record *out) {
  *out = *at(ring, front->piece, *front->tail);
  return out->check == staty_record_check(out, front->salt, *front->tail);
}

uint32_t staty_ring_take(
    struct staty_ring *ring, struct staty_ring_tails *tails, struct staty_record *out,
    uint32_t capacity, uint32_t *torn) {
  struct front fronts[STATY_RING_MAX_PIECES];
  uint32_t count = find_fronts(ring, tails, fronts);
  uint32_t taken = 0;
  while (count > 0 && taken < capacity) {
    uint32_t index = lowest(fronts, count);
    struct front *front = &fronts[index];
    if (copy_sound(ring, front, &out[taken])) {
      taken++;
    } else {
      (*torn)++;
    }
    if (++*front->tail != front->head) {
      front->number = at(ring, front->piece, *front->tail)->number;
    } else if (!advance(ring, tails, front)) {
      *front = fronts[--count];
    }
  }
  return taken;
}

static void add(struct staty_counter *counter, uint64_t value) {
  if (value) __atomic_add_fetch(&counter->value, value, __ATOMIC_RELAXED);
}

// Frees the pieces that are released completely, except each lane's last one.
static void give_back(struct staty_ring *ring, const struct staty_ring_tails *tails) {
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    struct staty_piece_queue *queue = &ring->queues[index];
    uint32_t done = step_over(queue, queue->done, tails);
    while (queue->done != done) {
      uint32_t piece = queue->entries[queue->done % STATY_QUEUED_PIECES].piece;
      uint32_t next = queue->entries[(queue->done + 1) % STATY_QUEUED_PIECES].piece;
      __atomic_store_n(&queue->done, queue->done + 1, __ATOMIC_RELEASE);
      // If no other piece was free, the lane was given the same one again.
      if (piece != next) staty_ring_add_piece(ring, piece);
    }
  }
}

void staty_ring_release(
    struct staty_ring *ring, const struct staty_ring_tails *tails, uint64_t count,
    uint64_t highest, uint64_t torn) {
  // Counted before the tails move. If the process is killed in between, a record is both counted as
  // released and still in the ring, which its number shows. The other order could lose it.
  add(&ring->header->released, count);
  add(&ring->header->torn, torn);
  staty_counter_raise(&ring->header->released_highest, highest);
  for (uint32_t piece = 0; piece < ring->header->pieces; piece++) {
    __atomic_store_n(
        &positions_of(ring, piece)->tail.value, tails->pieces[piece], __ATOMIC_RELEASE);
  }
  give_back(ring, tails);
  __atomic_store_n(&ring->header->log_tail.value, tails->log, __ATOMIC_RELEASE);
}

uint64_t staty_ring_queued(struct staty_ring *ring) {
  uint64_t queued = 0;
  for (uint32_t piece = 0; piece < ring->header->pieces; piece++) {
    // The tail is read before the head, so the difference is never negative.
    uint64_t tail = __atomic_load_n(&positions_of(ring, piece)->tail.value, __ATOMIC_ACQUIRE);
    queued += head_of(ring, piece) - tail;
  }
  return queued;
}

int staty_ring_has_unreleased(struct staty_ring *ring) {
  for (uint32_t piece = 0; piece < ring->header->pieces; piece++) {
    if (head_of(ring, piece) != positions_of(ring, piece)->tail.value) return 1;
  }
  return staty_ring_log_head(ring) != ring->log_read;
}

// The same limits as when a lane gets its next piece. A lane's last piece does not count: the lane keeps it
// when all its records are released.
int staty_ring_is_filling(struct staty_ring *ring) {
  uint32_t most = staty_lane_most_pieces(ring), full = 0;
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    const struct staty_piece_queue *queue = &ring->queues[index];
    uint32_t pieces = __atomic_load_n(&queue->given, __ATOMIC_ACQUIRE) - queue->done;
    if (pieces < 2) continue;
    if ((pieces - 1) * 2 >= most) return 1;
    full += pieces - 1;
  }
  uint64_t left = __atomic_load_n(&ring->free_pieces, __ATOMIC_RELAXED);
  if (full > 0 && (uint32_t)__builtin_popcountll(left) * 2 < ring->header->pieces) return 1;
  return staty_log_is_filling(ring);
}

// Writes the value that is there. This takes the page fault that follows a write-back, which makes the
// page read-only. Not an addition of zero, because compilers turn that into a load.
static void touch(uint64_t *word) {
  uint64_t value = __atomic_load_n(word, __ATOMIC_RELAXED);
  __atomic_compare_exchange_n(word, &value, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static void touch_piece(struct staty_ring *ring, uint32_t piece, uint64_t from) {
  uint32_t records = ring->header->records;
  uint32_t stride = (uint32_t)sysconf(_SC_PAGESIZE) / sizeof(struct staty_record);
  struct staty_record *first = &ring->records[(size_t)piece * records];
  for (uint64_t place = from; place < records; place += stride) touch(&first[place].check);
}

void staty_ring_touch_ahead(struct staty_ring *ring, uint32_t pieces) {
  touch(&ring->header->log_head.value);
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    struct staty_piece_queue *queue = &ring->queues[index];
    uint32_t given = __atomic_load_n(&queue->given, __ATOMIC_ACQUIRE);
    if (given == queue->done) continue;
    uint32_t piece = queue->entries[(given - 1) % STATY_QUEUED_PIECES].piece;
    touch(&positions_of(ring, piece)->head.value);
    touch_piece(ring, piece, head_of(ring, piece) & (ring->header->records - 1));
  }
  // In the order in which lanes get them.
  uint64_t bits = __atomic_load_n(&ring->free_pieces, __ATOMIC_ACQUIRE);
  for (; bits != 0 && pieces > 0; bits &= bits - 1, pieces--) {
    uint32_t piece = (uint32_t)__builtin_ctzll(bits);
    touch(&positions_of(ring, piece)->head.value);
    touch_piece(ring, piece, 0);
  }
}
