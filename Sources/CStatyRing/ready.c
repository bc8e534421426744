#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "rings.h"

// On a full disk, a store into a page of a mapped file that has no block on the disk ends the process. So
// every part of the file is written before it is used: the first parts when the ring is created, the rest
// here.

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

static int write_zeros(int descriptor, uint64_t from, uint64_t to) {
  // Not constant, or they would be in the program's file.
  static uint8_t zeros[1 << 16];
  while (from < to) {
    size_t count = to - from < sizeof zeros ? (size_t)(to - from) : sizeof zeros;
    ssize_t written = pwrite(descriptor, zeros, count, (off_t)from);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return 0;
    from += (uint64_t)written;
  }
  return 1;
}

static int make_ready(struct staty_ring *ring) {
  const struct staty_ring_header *header = ring->header;
  uint64_t bytes = (uint64_t)header->records * sizeof(struct staty_record);
  uint64_t log = header->file_bytes - header->log_bytes;
  if (ring->log_ready < header->log_bytes) {
    if (!write_zeros(ring->descriptor, log + ring->log_ready, header->file_bytes)) return 0;
    __atomic_store_n(&ring->log_ready, header->log_bytes, __ATOMIC_RELEASE);
  }
  for (uint32_t piece = ring->ready_pieces; piece < header->pieces; piece++) {
    uint64_t start = STATY_RING_HEAD + piece * bytes;
    if (!write_zeros(ring->descriptor, start, start + bytes)) return 0;
    staty_ring_add_piece(ring, piece);
    __atomic_store_n(&ring->ready_pieces, piece + 1, __ATOMIC_RELEASE);
  }
  return 1;
}

static int is_ready(struct staty_ring *ring) {
  return __atomic_load_n(&ring->ready_pieces, __ATOMIC_ACQUIRE) == ring->header->pieces
      && __atomic_load_n(&ring->log_ready, __ATOMIC_ACQUIRE) == ring->header->log_bytes;
}

int staty_ring_make_ready(struct staty_ring *ring) {
  if (ring->foreign || is_ready(ring)) return 1;
  pthread_mutex_lock(&making);
  int done = make_ready(ring);
  pthread_mutex_unlock(&making);
  if (!done) __atomic_store_n(&ring->is_short, 1, __ATOMIC_RELAXED);
  return done;
}

// For a producer that needs room before the reader has prepared the rest. After a failure, such as a full
// disk, only the reader tries again.
int staty_ring_became_ready(struct staty_ring *ring) {
  if (is_ready(ring) || __atomic_load_n(&ring->is_short, __ATOMIC_RELAXED)) return 0;
  int before = errno;
  int done = staty_ring_make_ready(ring);
  errno = before;
  return done;
}
