#ifndef CSTATY_H
#define CSTATY_H

#include <stdint.h>
#include <time.h>

// What this thread is handling at the moment: the event whose delivery or performance is under
// way, and the numbering that its number belongs to. Swift has no thread-local storage without a
// dictionary look-up or an allocation; this is a few loads.
//
// The handlings of a thread lie in each other. Those of one numbering within each other need no
// list: who begins one keeps what was before. Where one of another numbering lies in between, such
// as that of a controller that is not recorded, what it lies in is kept in a list, so that it hides
// nothing.
struct staty_outer_handling {
  const void *numbering;
  uint64_t number;
  struct staty_outer_handling *further;
};

struct staty_handling {
  const void *numbering;
  uint64_t number;
  // The innermost of each time that the numbering changed on the way here; owned.
  struct staty_outer_handling *further;
};

extern _Thread_local struct staty_handling staty_current_handling;

// Those of other numberings: out of line, because there mostly are none.
struct staty_outer_handling *staty_handling_keep(struct staty_handling outer);
void staty_handling_drop(struct staty_outer_handling *kept);
uint64_t staty_handling_find(const struct staty_outer_handling *further, const void *numbering);

// From now on this thread handles an event. Gives what it handled before, which is to be handed to
// staty_handling_end, the last begun first.
static inline struct staty_handling staty_handling_begin(const void *numbering, uint64_t number) {
  struct staty_handling outer = staty_current_handling;
  struct staty_handling inner = {numbering, number, outer.further};
  if (__builtin_expect(outer.numbering && outer.numbering != numbering, 0)) {
    inner.further = staty_handling_keep(outer);
  }
  staty_current_handling = inner;
  return outer;
}

static inline void staty_handling_end(struct staty_handling outer) {
  struct staty_outer_handling *kept = staty_current_handling.further;
  if (__builtin_expect(kept != outer.further, 0)) staty_handling_drop(kept);
  staty_current_handling = outer;
}

// The number of the innermost event of a numbering that this thread handles; 0 if it handles none.
static inline uint64_t staty_handling_number(const void *numbering) {
  struct staty_handling handling = staty_current_handling;
  if (handling.numbering == numbering) return handling.number;
  return handling.further ? staty_handling_find(handling.further, numbering) : 0;
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
