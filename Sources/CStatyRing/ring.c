#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rings.h"

static void lay_out(struct staty_ring *ring, uint8_t *base) {
  ring->header = (struct staty_ring_header *)base;
  ring->lane_count = ring->header->lanes;
  ring->shared_lane = ring->lane_count - 1;
  ring->free_lanes = ring->lane_count - 1;
  ring->salt = staty_header_salt(ring->header);
  struct staty_lane_positions *positions =
      (struct staty_lane_positions *)(base + sizeof(struct staty_ring_header));
  struct staty_record *records = (struct staty_record *)(base + STATY_RING_HEAD);
  for (uint32_t index = 0; index < ring->lane_count; index++) {
    ring->lanes[index] = (struct staty_lane){
        .limit = ring->header->records / 2,
        .records = records + (size_t)index * ring->header->records,
        .positions = positions + index,
        .salt = staty_lane_salt(ring->salt, index),
        .mask = ring->header->records - 1,
    };
  }
  ring->log = (uint8_t *)(records + (size_t)ring->lane_count * ring->header->records);
}

struct staty_ring *staty_ring_open(int descriptor, const struct staty_ring_header *header) {
  void *base = mmap(
      NULL, header->file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (base == MAP_FAILED) return NULL;
  struct staty_ring *ring = NULL;
  void *lanes = NULL;
  int failure = posix_memalign((void **)&ring, 128, sizeof *ring);
  if (!failure) {
    memset(ring, 0, sizeof *ring);
    failure = posix_memalign(&lanes, 128, header->lanes * sizeof *ring->lanes);
  }
  if (!failure && !staty_wait_prepare(ring)) failure = ENOMEM;
  if (failure) {
    free(lanes);
    free(ring);
    munmap(base, header->file_bytes);
    errno = failure;
    return NULL;
  }
  ring->lanes = lanes;
  ring->mapped_bytes = header->file_bytes;
  ring->descriptor = descriptor;
  lay_out(ring, base);
  staty_rings_add(ring);
  return ring;
}

void staty_ring_stop(struct staty_ring *ring) {
  // Out of the list first: a thread that ends now finds no ring to give a lane back to.
  staty_rings_remove(ring);
  __atomic_store_n(&ring->identity, STATY_RING_DEAD, __ATOMIC_RELAXED);
}

void staty_ring_destroy(struct staty_ring *ring) {
  staty_ring_stop(ring);
  munmap(ring->header, ring->mapped_bytes);
  if (ring->descriptor >= 0) close(ring->descriptor);
  staty_wait_end(ring);
  free(ring->lanes);
  free(ring);
}

void staty_counter_raise(struct staty_counter *counter, uint64_t value) {
  uint64_t known = __atomic_load_n(&counter->value, __ATOMIC_RELAXED);
  while (known < value
         && !__atomic_compare_exchange_n(
             &counter->value, &known, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
