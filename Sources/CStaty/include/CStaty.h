#ifndef CSTATY_H
#define CSTATY_H

#include <stdint.h>
#include <time.h>

// What this thread is handling at the moment: the event whose delivery or performance is under
// way, and the numbering that its number belongs to. Swift has no thread-local storage without a
// dictionary look-up or an allocation; this is two loads.
struct staty_handling {
  const void *numbering;
  uint64_t number;
};

extern _Thread_local struct staty_handling staty_current_handling;

static inline struct staty_handling staty_handling_get(void) {
  return staty_current_handling;
}

static inline void staty_handling_set(struct staty_handling handling) {
  staty_current_handling = handling;
}

// A counter that several threads draw from, in any memory, a mapped file's too.
static inline uint64_t staty_counter_next(uint64_t *counter) {
  return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

static inline uint64_t staty_counter_read(const uint64_t *counter) {
  return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

// Nanoseconds of a clock that goes on while the machine sleeps. On Apple's systems
// CLOCK_MONOTONIC does; Linux has CLOCK_BOOTTIME for it.
static inline uint64_t staty_clock_now(void) {
  struct timespec now;
#if defined(__linux__)
  clock_gettime(CLOCK_BOOTTIME, &now);
#else
  clock_gettime(CLOCK_MONOTONIC, &now);
#endif
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
