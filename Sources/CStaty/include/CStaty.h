#ifndef CSTATY_H
#define CSTATY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// The innermost place of this thread: the current call, as an event's number and the part of the
// event, `number << 2 | part`, and the numbering of the number. Thread-local storage in Swift needs
// a dictionary look-up or an allocation; this needs a few loads.
//
// The places of a thread are nested. Places of one numbering need no list: the code that enters one
// keeps the one before. If a place of another numbering is between them, such as that of a
// controller that is not recorded, the outer place is kept in a list, so that it can still be
// found.
struct staty_outer_place {
  const void *numbering;
  uint64_t place;
  struct staty_outer_place *further;
};

struct staty_place {
  const void *numbering;
  uint64_t place;
  // The innermost place before each change of the numbering; owned.
  struct staty_outer_place *further;
};

extern _Thread_local struct staty_place staty_current_place;

// Whether this thread starts one of Staty's own threads now, which does nothing for the app.
extern _Thread_local bool staty_starts_thread;
static inline void staty_set_starts_thread(bool starts) { staty_starts_thread = starts; }

// For places of other numberings: out of line, because there usually are none.
struct staty_outer_place *staty_place_keep(struct staty_place outer);
void staty_place_drop(struct staty_outer_place *kept);
uint64_t staty_place_find(const struct staty_outer_place *further, const void *numbering);

// This thread enters a place. Returns the outer place; pass it to staty_place_leave. The place that
// was entered last is left first.
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

// Who of several threads uses something now. A thread that has the turn may take it again. pthread's
// lock, because the thread sanitizer knows it.
struct staty_turn;
struct staty_turn *staty_turn_make(void);
void staty_turn_free(struct staty_turn *turn);
void staty_turn_take(struct staty_turn *turn);
void staty_turn_give(struct staty_turn *turn);

// A number for this thread, different from those of all other threads that exist.
static inline uintptr_t staty_thread_number(void) {
  return (uintptr_t)&staty_current_place;
}

// A counter that several threads use. It may lie in a mapped file.
static inline uint64_t staty_counter_next(uint64_t *counter) {
  return __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

static inline uint64_t staty_counter_read(const uint64_t *counter) {
  return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

// The time in nanoseconds, from a clock that continues while the machine sleeps. On Apple platforms
// CLOCK_MONOTONIC continues too, but counts microseconds and is computed from the time of day.
static inline uint64_t staty_clock_now(void) {
#if defined(__APPLE__)
  return clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW);
#else
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

// The cases of Swift enumerations, according to the language's ABI (TypeMetadata.rst, and
// ValueWitness.def in the runtime's sources). A type's metadata begins with its kind. The word in front
// of it is the address of the type's value witness table.
enum {
  staty_metadata_kind_struct = 0x200,
  staty_metadata_kind_enum = 0x201,
  staty_metadata_kind_optional = 0x202,
};

// In the flags of a value witness table: the enumeration witnesses exist.
#define STATY_HAS_ENUM_WITNESSES 0x200000u

// The beginning of a value witness table: eight functions, size, stride, flags and a count. The first of
// the enumeration witnesses follows.
struct staty_value_witnesses {
  const void *functions[8];
  size_t size, stride;
  uint32_t flags, extra_inhabitants;
  uint32_t (*enum_tag)(const void *value, const void *type);
};

static inline const struct staty_value_witnesses *staty_witnesses_of(const void *type) {
  return ((const struct staty_value_witnesses *const *)type)[-1];
}

static inline bool staty_type_is_structure(const void *type) {
  return *(const uintptr_t *)type == staty_metadata_kind_struct;
}

// Whether a type is an enumeration, and no optional.
static inline bool staty_type_is_enumeration(const void *type) {
  return *(const uintptr_t *)type == staty_metadata_kind_enum;
}

// Whether a type is an enumeration or an optional, whose values have a case.
static inline bool staty_type_has_cases(const void *type) {
  uintptr_t kind = *(const uintptr_t *)type;
  if (kind != staty_metadata_kind_enum && kind != staty_metadata_kind_optional) return false;
  return staty_witnesses_of(type)->flags & STATY_HAS_ENUM_WITNESSES;
}

// Whether any case of an enumeration type has values: its descriptor says how many have, behind
// flags, parent, name, access function and fields.
static inline bool staty_enumeration_has_values(const void *type) {
  const uint32_t *descriptor = ((const uint32_t *const *)type)[1];
  return (descriptor[5] & 0xFFFFFF) != 0;
}

// Whether the case of a value of an enumeration or an optional has values: those that have come first.
static inline bool staty_case_has_values(uint32_t tag, const void *type) {
  if (!staty_type_is_enumeration(type)) return tag == 0;
  const uint32_t *descriptor = ((const uint32_t *const *)type)[1];
  return tag < (descriptor[5] & 0xFFFFFF);
}

// The case of a value of an enumeration type, from 0.
static inline uint32_t staty_case_of(const void *value, const void *type) {
  return staty_witnesses_of(type)->enum_tag(value, type);
}

#endif
