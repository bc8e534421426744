// On Linux a program's own functions take the place of libdispatch's, also for the libraries that
// it uses. What a controlled thread dispatches goes to the control. The thread sanitizer has functions
// of its own in these places.
#if defined(__linux__) && !__has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include "COrders.h"

#include <CJobs.h>
#include <CStaty.h>
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

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

// Whether a queue of the library's performs a block on this thread: then the library knows the queue.
static _Thread_local bool is_synced;

void orders_block_call(void *block) {
  bool before = is_synced;
  is_synced = false;
  ((struct block *)block)->invoke(block);
  is_synced = before;
}

void orders_block_perform(void *block) {
  orders_block_call(block);
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

static bool is_main(void *queue) { return queue == (void *)&_dispatch_main_q; }

static bool is_global(void *queue) {
  static const intptr_t qualities[] = {0x21, 0x19, 0x15, 0x11, 0x09, 0};
  for (size_t at = 0; at < sizeof qualities / sizeof *qualities; at++) {
    if (queue == dispatch_get_global_queue(qualities[at], 0)) return true;
  }
  return false;
}

// What makes queues concurrent, and the concurrent queues: a few of each. A queue that finds no room
// counts as serial.
static struct {
  void *items[256];
  size_t count;
} concurrent;
static pthread_mutex_t concurrency = PTHREAD_MUTEX_INITIALIZER;
extern char _dispatch_queue_attr_concurrent;

static bool is_concurrent(void *item) {
  bool is_known = item == (void *)&_dispatch_queue_attr_concurrent;
  pthread_mutex_lock(&concurrency);
  for (size_t at = 0; at < concurrent.count && !is_known; at++) is_known = concurrent.items[at] == item;
  pthread_mutex_unlock(&concurrency);
  return is_known;
}

// An address may be used again.
static void *note(void *item, bool is) {
  pthread_mutex_lock(&concurrency);
  size_t at = 0;
  while (at < concurrent.count && concurrent.items[at] != item) at++;
  if (is && at == concurrent.count && at < sizeof concurrent.items / sizeof *concurrent.items) {
    concurrent.items[concurrent.count++] = item;
  } else if (!is && at < concurrent.count) {
    concurrent.items[at] = concurrent.items[--concurrent.count];
  }
  pthread_mutex_unlock(&concurrency);
  return item;
}

static void take(void *queue, void *block, uint64_t nanoseconds) {
  bool is_serial = !is_main(queue) && !is_global(queue) && !is_concurrent(queue);
  jobs_current()->dispatched(
      _Block_copy(block), is_main(queue) ? NULL : queue, is_serial, nanoseconds);
}

static void escape(const char *call) {
  if (jobs_current()) jobs_current()->escaped(call);
}

void dispatch_async(void *queue, void *block) {
  if (jobs_current()) return take(queue, block, 0);
  ORIGINAL(dispatch_async);
  library(queue, block);
}

void dispatch_after(uint64_t when, void *queue, void *block) {
  if (jobs_current()) {
    // The highest bit marks a time of day, as nanoseconds below zero.
    bool is_wall = when >> 63 && when != UINT64_MAX;
    uint64_t now = is_wall ? -dispatch_walltime(NULL, 0) : dispatch_time(0, 0);
    uint64_t due = is_wall ? -when : when;
    return take(queue, block, due > now ? due - now : 0);
  }
  ORIGINAL(dispatch_after);
  library(when, queue, block);
}

void *dispatch_queue_attr_make_with_qos_class(void *attributes, unsigned quality, int priority) {
  ORIGINAL(dispatch_queue_attr_make_with_qos_class);
  return note(library(attributes, quality, priority), is_concurrent(attributes));
}

void *dispatch_queue_attr_make_with_autorelease_frequency(void *attributes, unsigned long frequency) {
  ORIGINAL(dispatch_queue_attr_make_with_autorelease_frequency);
  return note(library(attributes, frequency), is_concurrent(attributes));
}

void *dispatch_queue_create_with_target(const char *label, void *attributes, void *target) {
  ORIGINAL(dispatch_queue_create_with_target);
  return note(library(label, attributes, target), is_concurrent(attributes));
}

void *dispatch_queue_create(const char *label, void *attributes) {
  ORIGINAL(dispatch_queue_create);
  return note(library(label, attributes), is_concurrent(attributes));
}

// From a barrier on, the queue keeps its order.
void dispatch_barrier_async(void *queue, void *block) {
  if (jobs_current()) {
    if (!is_global(queue)) note(queue, false);
    return take(queue, block, 0);
  }
  ORIGINAL(dispatch_barrier_async);
  library(queue, block);
}

// What was dispatched to the queue before comes first, if it keeps its order.
static bool is_done(void *queue, void *block, bool keeps_order) {
  if (!jobs_current()) return false;
  if (is_main(queue)) {
    jobs_current()->performs_on_main(block);
    return true;
  }
  if (keeps_order) jobs_current()->performs_blocks(queue);
  return false;
}

void dispatch_sync(void *queue, void *block) {
  if (is_done(queue, block, !is_global(queue) && !is_concurrent(queue))) return;
  ORIGINAL(dispatch_sync);
  bool before = is_synced;
  is_synced = jobs_current() != NULL;
  library(queue, block);
  is_synced = before;
}

void dispatch_barrier_sync(void *queue, void *block) {
  if (is_done(queue, block, !is_global(queue))) return;
  ORIGINAL(dispatch_barrier_sync);
  bool before = is_synced;
  is_synced = jobs_current() != NULL;
  library(queue, block);
  is_synced = before;
}

extern void *dispatch_queue_get_specific(void *queue, const void *key);

// How code asks whether it runs on a queue of its own.
void *dispatch_get_specific(const void *key) {
  if (jobs_current() && !is_synced) {
    const void *queue = jobs_current()->queue();
    if (jobs_current()->is_on_main()) queue = &_dispatch_main_q;
    if (queue) return dispatch_queue_get_specific((void *)queue, key);
  }
  ORIGINAL(dispatch_get_specific);
  return library(key);
}

// Blocks that are under control run on no queue.
void dispatch_assert_queue(void *queue) {
  if (jobs_current()) return;
  ORIGINAL(dispatch_assert_queue);
  library(queue);
}

void dispatch_assert_queue_not(void *queue) {
  if (jobs_current()) return;
  ORIGINAL(dispatch_assert_queue_not);
  library(queue);
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

void dispatch_suspend(void *object) {
  escape("DispatchQueue.suspend");
  ORIGINAL(dispatch_suspend);
  library(object);
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

// What they wait for may be a block that is under control, and then nothing would ever end: blocks that
// are ready are performed, and then they wait for a second at the most.
#define FOREVER UINT64_MAX

static intptr_t wait_for(
    intptr_t (*library)(void *, uint64_t), void *item, uint64_t timeout, const char *call) {
  if (!jobs_current() || timeout == 0) return library(item, timeout);
  intptr_t is_waiting = library(item, 0);
  while (is_waiting && jobs_current()->performs_block(NULL)) is_waiting = library(item, 0);
  if (!is_waiting) return 0;
  escape(call);
  is_waiting = library(item, dispatch_time(0, 1000000000));
  return timeout == FOREVER ? 0 : is_waiting;
}

intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
  ORIGINAL(dispatch_semaphore_wait);
  return wait_for(library, semaphore, timeout, "DispatchSemaphore.wait");
}

intptr_t dispatch_group_wait(void *group, uint64_t timeout) {
  ORIGINAL(dispatch_group_wait);
  return wait_for(library, group, timeout, "DispatchGroup.wait");
}

intptr_t dispatch_block_wait(void *block, uint64_t timeout) {
  ORIGINAL(dispatch_block_wait);
  return wait_for(library, block, timeout, "DispatchWorkItem.wait");
}

// The address sanitizer has one of its own.
#if !__has_feature(address_sanitizer)
// A queue starts a thread of its own where none is free. What was given to the queue is what counts.
static bool is_dispatch(void *caller) {
  static void *kept;
  Dl_info here, dispatch;
  return dladdr(caller, &here) && dladdr(original(&kept, "dispatch_async"), &dispatch)
      && here.dli_fbase == dispatch.dli_fbase;
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (jobs_current() && !staty_starts_thread && !is_dispatch(__builtin_return_address(0))) {
    escape("a new thread");
  }
  ORIGINAL(pthread_create);
  return library(thread, attributes, start, argument);
}
#endif

#else

#include "COrders.h"

void orders_block_perform(void *block) { (void)block; }
void orders_block_call(void *block) { (void)block; }

#endif
