#include "rings.h"

#if defined(__linux__)
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#elif defined(__APPLE__)
#include <dispatch/dispatch.h>
#endif

// The thread that changes `reader` from a waiting state to awake ends the wait, and only that thread makes
// the system call. If the wait has already timed out, the next wait ends early, which the reader must
// expect anyway.

#if defined(__linux__)

int staty_wait_prepare(struct staty_ring *ring) {
  long answer = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
  ring->fences = answer != 0;
  return 1;
}

void staty_wait_end(struct staty_ring *ring) { (void)ring; }

static void barrier(struct staty_ring *ring) {
  if (!ring->fences) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void sleep_while(struct staty_ring *ring, enum staty_reader how, uint64_t nanoseconds) {
  struct timespec limit = {
      .tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
  syscall(SYS_futex, &ring->reader, FUTEX_WAIT_PRIVATE, (uint32_t)how, &limit, NULL, 0);
}

static void end_sleep(struct staty_ring *ring) {
  int before = errno;
  syscall(SYS_futex, &ring->reader, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  errno = before;
}

#elif defined(__APPLE__)

int staty_wait_prepare(struct staty_ring *ring) {
  ring->fences = 1;
  ring->semaphore = dispatch_semaphore_create(0);
  return ring->semaphore != NULL;
}

void staty_wait_end(struct staty_ring *ring) { dispatch_release(ring->semaphore); }

static void barrier(struct staty_ring *ring) {
  (void)ring;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void sleep_while(struct staty_ring *ring, enum staty_reader how, uint64_t nanoseconds) {
  (void)how;
  dispatch_semaphore_wait(
      ring->semaphore, dispatch_time(DISPATCH_TIME_NOW, (int64_t)nanoseconds));
}

static void end_sleep(struct staty_ring *ring) { dispatch_semaphore_signal(ring->semaphore); }

#endif

void staty_ring_rouse(struct staty_ring *ring) {
  uint32_t before = __atomic_exchange_n(&ring->reader, staty_reader_awake, __ATOMIC_SEQ_CST);
  if (before != staty_reader_awake) end_sleep(ring);
}

void staty_ring_wake(struct staty_ring *ring) {
  __atomic_store_n(&ring->wake_requested, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&ring->reader, __ATOMIC_SEQ_CST) != staty_reader_awake) {
    staty_ring_rouse(ring);
  }
}

// `wake_requested` and `reader` are the same handshake as in staty_ring_wake_parked, with sequentially
// consistent operations on both sides.
void staty_ring_wait(struct staty_ring *ring, enum staty_reader how, uint64_t nanoseconds) {
  if (ring->foreign) return;
  __atomic_store_n(&ring->reader, (uint32_t)how, __ATOMIC_SEQ_CST);
  int idle = !__atomic_load_n(&ring->wake_requested, __ATOMIC_SEQ_CST);
  if (idle && how == staty_reader_parked) {
    barrier(ring);
    idle = !staty_ring_has_unreleased(ring);
  }
  if (idle) sleep_while(ring, how, nanoseconds);
  __atomic_store_n(&ring->reader, staty_reader_awake, __ATOMIC_SEQ_CST);
  // An exchange acquires what the caller of staty_ring_wake wrote before.
  __atomic_exchange_n(&ring->wake_requested, 0, __ATOMIC_SEQ_CST);
}
