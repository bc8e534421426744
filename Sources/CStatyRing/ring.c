#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rings.h"

static void lay_out(struct staty_ring *ring, uint8_t *base) {
  struct staty_ring_header *header = (struct staty_ring_header *)base;
  ring->header = header;
  ring->lane_count = header->lanes;
  ring->shared_lane = ring->lane_count - 1;
  ring->free_lanes = ring->lane_count - 1;
  ring->salt = staty_header_salt(header);
  ring->records = (struct staty_record *)(base + STATY_RING_HEAD);
  ring->log = (uint8_t *)(ring->records + (size_t)header->pieces * header->records);
}

// Returns zeroed memory, aligned to two cache lines.
static void *allocate(size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, 128, bytes) != 0) return NULL;
  return memset(memory, 0, bytes);
}

struct staty_ring *staty_ring_open(
    int descriptor, const struct staty_ring_header *header, uint32_t pieces, uint64_t log_bytes) {
  void *base = mmap(
      NULL, header->file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (base == MAP_FAILED) return NULL;
  struct staty_ring *ring = allocate(sizeof *ring);
  void *lanes = allocate(header->lanes * sizeof *ring->lanes);
  void *queues = allocate(header->lanes * sizeof *ring->queues);
  if (!ring || !lanes || !queues || !staty_wait_prepare(ring)) {
    free(queues);
    free(lanes);
    free(ring);
    munmap(base, header->file_bytes);
    errno = ENOMEM;
    return NULL;
  }
  ring->lanes = lanes;
  ring->queues = queues;
  ring->mapped_bytes = header->file_bytes;
  ring->descriptor = descriptor;
  lay_out(ring, base);
  // The shared lane always has a piece, because threads without a lane of their own use it.
  for (uint32_t piece = 0; piece + 1 < pieces; piece++) staty_ring_add_piece(ring, piece);
  staty_lane_give(ring, &ring->lanes[ring->shared_lane], pieces - 1);
  ring->ready_pieces = pieces;
  ring->log_ready = log_bytes;
  staty_rings_add(ring);
  return ring;
}

void staty_ring_stop(struct staty_ring *ring) {
  // First, so that a thread that ends later does not return its lane.
  staty_rings_remove(ring);
  uint64_t before = __atomic_exchange_n(&ring->identity, STATY_RING_DEAD, __ATOMIC_RELAXED);
  if (before == STATY_RING_DEAD || ring->foreign) return;
  // Controllers draw numbers from the ring as long as they live; the later ones are no losses.
  uint64_t drawn = __atomic_load_n(&ring->header->drawn.value, __ATOMIC_RELAXED);
  __atomic_store_n(&ring->header->stopped, drawn + 1, __ATOMIC_RELAXED);
}

void staty_ring_destroy(struct staty_ring *ring) {
  staty_ring_stop(ring);
  munmap(ring->header, ring->mapped_bytes);
  if (ring->descriptor >= 0) close(ring->descriptor);
  staty_wait_end(ring);
  free(ring->queues);
  free(ring->lanes);
  free(ring);
}

void staty_ring_add_piece(struct staty_ring *ring, uint32_t piece) {
  __atomic_or_fetch(&ring->free_pieces, 1ull << piece, __ATOMIC_RELEASE);
}

void staty_counter_raise(struct staty_counter *counter, uint64_t value) {
  uint64_t known = __atomic_load_n(&counter->value, __ATOMIC_RELAXED);
  while (known < value
         && !__atomic_compare_exchange_n(
             &counter->value, &known, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
