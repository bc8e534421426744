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

// After a fork, the child shares the mapped file and its lock with the parent. The child must not write
// into the file, and must not keep the lock after the parent has ended. So it closes its descriptor,
// which does not release the parent's lock. `struct staty_ring` is private memory: the child marks only
// its own copy as dead. The mapping is replaced by private memory, because events are still numbered from
// the counter in it, which would be the parent's. If there is no memory, the mapping stays, but the child
// puts no records into it.
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
