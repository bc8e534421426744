// On Linux a program's own functions take the place of libdispatch's, also for the libraries that
// it uses. What a controlled thread dispatches goes to the control.
#if defined(__linux__)

#define _GNU_SOURCE
#include "COrders.h"

#include <CStaty.h>
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

const struct orders_control *orders_current(void);

extern char _dispatch_main_q;
extern uint64_t dispatch_time(uint64_t when, int64_t delta);
extern uint64_t dispatch_walltime(const struct timespec *when, int64_t delta);
extern void *dispatch_get_global_queue(intptr_t identifier, uintptr_t flags);
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

struct block {
  void *isa;
  int flags, reserved;
  void (*invoke)(void *);
};

void orders_block_perform(void *block) {
  ((struct block *)block)->invoke(block);
  _Block_release(block);
}

// The library's own function of this name. Two threads that look it up find the same.
static void *original(void **kept, const char *name) {
  void *found = __atomic_load_n(kept, __ATOMIC_RELAXED);
  if (!found) {
    found = dlsym(RTLD_NEXT, name);
    __atomic_store_n(kept, found, __ATOMIC_RELAXED);
  }
  return found;
}

#define ORIGINAL(name) \
  static void *kept; \
  __typeof__(name) *library = (__typeof__(name) *)original(&kept, #name)

static bool is_global(void *queue) {
  static const intptr_t qualities[] = {0x21, 0x19, 0x15, 0x11, 0x09, 0};
  for (size_t at = 0; at < sizeof qualities / sizeof *qualities; at++) {
    if (queue == dispatch_get_global_queue(qualities[at], 0)) return true;
  }
  return false;
}

static void take(void *queue, void *block, uint64_t nanoseconds) {
  bool is_main = queue == (void *)&_dispatch_main_q;
  orders_current()->dispatched(
      _Block_copy(block), is_main || is_global(queue) ? NULL : queue, is_main, nanoseconds);
}

static void escape(const char *call) {
  if (orders_current()) orders_current()->escaped(call);
}

void dispatch_async(void *queue, void *block) {
  if (orders_current()) return take(queue, block, 0);
  ORIGINAL(dispatch_async);
  library(queue, block);
}

void dispatch_after(uint64_t when, void *queue, void *block) {
  if (orders_current()) {
    // The highest bit marks a time of day, as nanoseconds below zero.
    bool is_wall = when >> 63 && when != UINT64_MAX;
    uint64_t now = is_wall ? -dispatch_walltime(NULL, 0) : dispatch_time(0, 0);
    uint64_t due = is_wall ? -when : when;
    return take(queue, block, due > now ? due - now : 0);
  }
  ORIGINAL(dispatch_after);
  library(when, queue, block);
}

// A queue of the app's own keeps its order, so that nothing is between a barrier and its neighbours.
void dispatch_barrier_async(void *queue, void *block) {
  if (orders_current()) return take(queue, block, 0);
  ORIGINAL(dispatch_barrier_async);
  library(queue, block);
}

// What these start goes on outside of the control.

void dispatch_group_async(void *group, void *queue, void *block) {
  escape("DispatchQueue.async(group:)");
  ORIGINAL(dispatch_group_async);
  library(group, queue, block);
}

void dispatch_group_notify(void *group, void *queue, void *block) {
  escape("DispatchGroup.notify");
  ORIGINAL(dispatch_group_notify);
  library(group, queue, block);
}

void dispatch_source_set_event_handler(void *source, void *block) {
  escape("a dispatch source");
  ORIGINAL(dispatch_source_set_event_handler);
  library(source, block);
}

void dispatch_apply(size_t count, void *queue, void *block) {
  escape("DispatchQueue.concurrentPerform");
  ORIGINAL(dispatch_apply);
  library(count, queue, block);
}

// What they wait for may be a block that is under control, and then nothing would ever end: they wait
// for a second.
#define FOREVER UINT64_MAX

intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
  ORIGINAL(dispatch_semaphore_wait);
  if (!orders_current() || timeout != FOREVER) return library(semaphore, timeout);
  if (library(semaphore, dispatch_time(0, 1000000000))) escape("DispatchSemaphore.wait");
  return 0;
}

intptr_t dispatch_group_wait(void *group, uint64_t timeout) {
  ORIGINAL(dispatch_group_wait);
  if (!orders_current() || timeout != FOREVER) return library(group, timeout);
  if (library(group, dispatch_time(0, 1000000000))) escape("DispatchGroup.wait");
  return 0;
}

// The sanitizers have one of their own.
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)
int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (!staty_starts_thread) escape("a new thread");
  ORIGINAL(pthread_create);
  return library(thread, attributes, start, argument);
}
#endif

#else

#include "COrders.h"

void orders_block_perform(void *block) { (void)block; }

#endif
