#include "rings.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct staty_ring *open_rings;
static uint64_t last_identity;

void staty_rings_lock(void) { pthread_mutex_lock(&lock); }
void staty_rings_unlock(void) { pthread_mutex_unlock(&lock); }

// A child of fork shares the mapping and the lock with its parent. It must not write into the
// one, and must not hold the other beyond the parent's life; closing its descriptor leaves the
// parent's lock as it is. The ring's own memory is the child's private copy, so saying there that
// the ring is dead is the child's affair alone. Memory of the child's own takes the place of the
// mapping: numbers are drawn from a counter in it, which would otherwise be the parent's. Where
// there is no such memory the child is left with the mapping, in which it puts nothing.
static void disown_in_child(void) {
  for (struct staty_ring *ring = open_rings; ring; ring = ring->next) {
    __atomic_store_n(&ring->identity, STATY_RING_DEAD, __ATOMIC_RELAXED);
    ring->foreign = 1;
    mmap(
        ring->header, ring->mapped_bytes, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    close(ring->descriptor);
    ring->descriptor = -1;
  }
  staty_rings_unlock();
}

static void prepare_for_forks(void) {
  pthread_atfork(staty_rings_lock, staty_rings_unlock, disown_in_child);
}

struct staty_ring *staty_rings_find(uint64_t identity) {
  struct staty_ring *ring = open_rings;
  while (ring && ring->identity != identity) ring = ring->next;
  return ring;
}

void staty_rings_add(struct staty_ring *ring) {
  pthread_once(&once, prepare_for_forks);
  staty_rings_lock();
  ring->identity = ++last_identity;
  ring->next = open_rings;
  open_rings = ring;
  staty_rings_unlock();
}

void staty_rings_remove(struct staty_ring *ring) {
  staty_rings_lock();
  struct staty_ring **link = &open_rings;
  while (*link && *link != ring) link = &(*link)->next;
  if (*link) *link = ring->next;
  staty_rings_unlock();
}
