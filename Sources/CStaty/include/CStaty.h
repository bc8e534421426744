#ifndef CSTATY_H
#define CSTATY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

// The innermost place of this thread: the call that is under way, as an event's number and the part
// of the event that the call is, `number << 2 | part`, and the numbering that the number belongs to.
// Swift has no thread-local storage without a dictionary look-up or an allocation; this is a few
// loads.
//
// The places of a thread lie in each other. Those of one numbering need no list: the code that
// enters one keeps the one before. Where one of another numbering lies in between, such as that of
// a controller that is not recorded, the place around it is kept in a list, so that it hides nothing.
struct staty_outer_place {
  const void *numbering;
  uint64_t place;
  struct staty_outer_place *further;
};

struct staty_place {
  const void *numbering;
  uint64_t place;
  // The innermost of each time that the numbering changed on the way here; owned.
  struct staty_outer_place *further;
};

extern _Thread_local struct staty_place staty_current_place;

// Those of other numberings: out of line, because there mostly are none.
struct staty_outer_place *staty_place_keep(struct staty_place outer);
void staty_place_drop(struct staty_outer_place *kept);
uint64_t staty_place_find(const struct staty_outer_place *further, const void *numbering);

// This thread enters a place. Returns the one around it, to be handed to staty_place_leave; the
// place entered last is left first.
static inline struct staty_place staty_place_enter(const void *numbering, uint64_t place) {
  struct staty_place outer = staty_current_place;
  struct staty_place inner = {numbering, place, outer.further};
  if (__builtin_expect(outer.numbering && outer.numbering != numbering, 0)) {
    inner.further = staty_place_keep(outer);
  }
  staty_current_place = inner;
  return outer;
}

static inline void staty_place_leave(struct staty_place outer) {
  struct staty_outer_place *kept = staty_current_place.further;
  if (__builtin_expect(kept != outer.further, 0)) staty_place_drop(kept);
  staty_current_place = outer;
}

// The innermost place of this thread in an event of this numbering; 0 if there is none.
static inline uint64_t staty_place_innermost(const void *numbering) {
  struct staty_place place = staty_current_place;
  if (place.numbering == numbering) return place.place;
  return place.further ? staty_place_find(place.further, numbering) : 0;
}

// A counter that several threads draw from, in any memory, a mapped file's too.
static inline uint64_t staty_counter_next(uint64_t *counter) {
  return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

static inline uint64_t staty_counter_read(const uint64_t *counter) {
  return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

// Nanoseconds of a clock that goes on while the machine sleeps. On Apple's systems CLOCK_MONOTONIC
// does too, but counts microseconds, and is the time of day less that of the start.
static inline uint64_t staty_clock_now(void) {
#if defined(__APPLE__)
  return clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW);
#else
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

// The cases of Swift's enumerations, by what the language's ABI says of a type: in front of its metadata
// stands the address of its witnesses, ten words and two halves of 32 bits; those of an enumeration go
// on with the function that tells which case a value is.
static inline const char *staty_witnesses_of(const void *type) {
  return ((const char *const *)type)[-1];
}

// Whether a type is an enumeration. An optional is one, too.
static inline bool staty_type_has_cases(const void *type) {
  uintptr_t kind = *(const uintptr_t *)type;
  if (kind != 0x201 && kind != 0x202) return false;
  uint32_t flags;
  memcpy(&flags, staty_witnesses_of(type) + 10 * sizeof(void *), sizeof flags);
  return flags & 0x200000u;
}

// Which case a value of such a type is, from 0.
static inline uint32_t staty_case_of(const void *value, const void *type) {
  uint32_t (*tag)(const void *, const void *);
  memcpy(&tag, staty_witnesses_of(type) + 10 * sizeof(void *) + 8, sizeof tag);
  return tag(value, type);
}

#endif
