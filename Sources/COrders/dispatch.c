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
extern void dispatch_queue_set_specific(
    void *queue, const void *key, void *value, void (*destructor)(void *));
extern void *dispatch_queue_get_specific(void *queue, const void *key);
extern void dispatch_retain(void *object);
extern void dispatch_release(void *object);
extern void *dispatch_block_create(uintptr_t flags, void *block);
extern void *_NSConcreteGlobalBlock[];
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

struct block {
  void *isa;
  int flags, reserved;
  void (*invoke)(void *);
  const void *shape;
};

// A queue that the running code is on, in a block of the queue or within `sync`, and the one around it.
struct place {
  void *queue;
  // Whether no other block of the queue runs meanwhile.
  bool is_alone;
  struct place *outer;
};
static _Thread_local struct place *place;

void *orders_leave(void) {
  void *left = place;
  place = NULL;
  return left;
}

void orders_return(void *left) { place = left; }

void orders_block_call(void *block) { ((struct block *)block)->invoke(block); }

void orders_block_perform(void *block, void *queue, bool is_alone) {
  struct place here = {queue, is_alone, NULL}, *before = place;
  place = &here;
  orders_block_call(block);
  place = before;
  orders_block_drop(block, queue);
}

void orders_block_drop(void *block, void *queue) {
  _Block_release(block);
  dispatch_release(queue);
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

// What makes queues concurrent. The library makes each of them once, and an app uses a few. A queue that is
// made with one that finds no room counts as serial.
static struct {
  void *items[256];
  size_t count;
} concurrent;
static pthread_mutex_t concurrency = PTHREAD_MUTEX_INITIALIZER;
extern char _dispatch_queue_attr_concurrent;

static bool makes_concurrent(void *attributes) {
  bool is_known = attributes == (void *)&_dispatch_queue_attr_concurrent;
  pthread_mutex_lock(&concurrency);
  for (size_t at = 0; at < concurrent.count && !is_known; at++) {
    is_known = concurrent.items[at] == attributes;
  }
  pthread_mutex_unlock(&concurrency);
  return is_known;
}

// Attributes that were made from others.
static void *note_attributes(void *made, void *from) {
  if (!makes_concurrent(from) || makes_concurrent(made)) return made;
  pthread_mutex_lock(&concurrency);
  if (concurrent.count < sizeof concurrent.items / sizeof *concurrent.items) {
    concurrent.items[concurrent.count++] = made;
  }
  pthread_mutex_unlock(&concurrency);
  return made;
}

// What a queue keeps under these addresses: its target, or itself without one; whether it is concurrent.
static char target_of_queue, concurrency_of_queue;

static void *note_queue(void *queue, void *attributes, void *target) {
  dispatch_queue_set_specific(queue, &target_of_queue, target ? target : queue, NULL);
  if (makes_concurrent(attributes)) {
    dispatch_queue_set_specific(queue, &concurrency_of_queue, queue, NULL);
  }
  return queue;
}

// NULL if it has none, or is not known.
static void *target_of(void *queue) {
  void *target = dispatch_queue_get_specific(queue, &target_of_queue);
  return target == queue ? NULL : target;
}

static bool is_concurrent(void *queue) {
  return is_global(queue) || dispatch_queue_get_specific(queue, &concurrency_of_queue);
}

// What decides when the blocks of a queue come: the main queue, or the last serial one among the queue and
// those that it targets. Without one, it is the queue itself.
static void *root_of(void *queue) {
  void *root = queue;
  for (void *at = queue; at; at = target_of(at)) {
    if (is_main(at)) return at;
    if (!is_concurrent(at)) root = at;
  }
  return root;
}

// A block that the library has made, as for a DispatchWorkItem, in the library that is known.
struct made_block {
  struct block block;
  uintptr_t magic, flags;
};

static void do_nothing(void *block) { (void)block; }

// Two blocks of which one is a barrier show whether this is the library that is known.
static bool is_made_as_barrier(const struct made_block *block) {
  static const struct {
    uintptr_t reserved, size;
  } shape = {0, sizeof(struct block)};
  // The flag says that it is never freed.
  static struct block empty = {_NSConcreteGlobalBlock, 1 << 28, 0, do_nothing, &shape};
  static const struct made_block *plain, *barrier;
  if (!plain) {
    plain = dispatch_block_create(0, &empty);
    barrier = dispatch_block_create(1, &empty);
  }
  return plain && barrier && plain->block.invoke == barrier->block.invoke
      && plain->magic == barrier->magic && (plain->flags ^ barrier->flags) == 1
      && block->block.invoke == plain->block.invoke && block->magic == plain->magic
      && block->flags & 1;
}

static void take(void *queue, void *block, uint64_t nanoseconds, bool is_barrier) {
  void *root = root_of(queue);
  is_barrier = (is_barrier || is_made_as_barrier(block)) && !is_global(root);
  bool is_alone = is_barrier || !is_concurrent(root);
  // The address of a queue that is freed may be used again.
  dispatch_retain(queue);
  jobs_current()->dispatched(
      _Block_copy(block), queue, is_main(root) ? NULL : root, is_alone, nanoseconds);
}

static void escape(const char *call) {
  if (jobs_current()) jobs_current()->escaped(call);
}

void dispatch_async(void *queue, void *block) {
  if (jobs_current()) return take(queue, block, 0, false);
  ORIGINAL(dispatch_async);
  library(queue, block);
}

void dispatch_barrier_async(void *queue, void *block) {
  if (jobs_current()) return take(queue, block, 0, true);
  ORIGINAL(dispatch_barrier_async);
  library(queue, block);
}

void dispatch_after(uint64_t when, void *queue, void *block) {
  if (jobs_current()) {
    // The highest bit marks a time of day, as nanoseconds below zero.
    bool is_wall = when >> 63 && when != UINT64_MAX;
    uint64_t now = is_wall ? -dispatch_walltime(NULL, 0) : dispatch_time(0, 0);
    uint64_t due = is_wall ? -when : when;
    return take(queue, block, due > now ? due - now : 0, false);
  }
  ORIGINAL(dispatch_after);
  library(when, queue, block);
}

void *dispatch_queue_attr_make_with_qos_class(void *attributes, unsigned quality, int priority) {
  ORIGINAL(dispatch_queue_attr_make_with_qos_class);
  return note_attributes(library(attributes, quality, priority), attributes);
}

void *dispatch_queue_attr_make_with_autorelease_frequency(void *attributes, unsigned long frequency) {
  ORIGINAL(dispatch_queue_attr_make_with_autorelease_frequency);
  return note_attributes(library(attributes, frequency), attributes);
}

void *dispatch_queue_attr_make_initially_inactive(void *attributes) {
  ORIGINAL(dispatch_queue_attr_make_initially_inactive);
  return note_attributes(library(attributes), attributes);
}

void *dispatch_queue_create_with_target(const char *label, void *attributes, void *target) {
  ORIGINAL(dispatch_queue_create_with_target);
  return note_queue(library(label, attributes, target), attributes, target);
}

void *dispatch_queue_create(const char *label, void *attributes) {
  ORIGINAL(dispatch_queue_create);
  return note_queue(library(label, attributes), attributes, NULL);
}

void dispatch_set_target_queue(void *object, void *target) {
  ORIGINAL(dispatch_set_target_queue);
  library(object, target);
  // What has noted no target is no queue, such as a source.
  if (dispatch_queue_get_specific(object, &target_of_queue)) {
    dispatch_queue_set_specific(object, &target_of_queue, target ? target : object, NULL);
  }
}

// What was dispatched to the queue before comes first, unless both may run at a time. The library performs
// the block: other threads may use the queue, too.
static void perform_synced(
    void *queue, void *block, bool is_barrier, void (*library)(void *, void *)) {
  void *root = root_of(queue);
  is_barrier = (is_barrier || is_made_as_barrier(block)) && !is_global(root);
  struct place here = {queue, is_barrier || !is_concurrent(root), place};
  place = &here;
  if (is_main(root)) {
    jobs_current()->performs_on_main(block);
  } else {
    // What waits for ever in the library would hang the search.
    bool is_free = jobs_current()->enters(root, here.is_alone);
    if (is_free) library(queue, block);
    else orders_block_call(block);
    jobs_current()->leaves();
  }
  place = here.outer;
}

void dispatch_sync(void *queue, void *block) {
  ORIGINAL(dispatch_sync);
  if (jobs_current()) return perform_synced(queue, block, false, library);
  library(queue, block);
}

void dispatch_barrier_sync(void *queue, void *block) {
  ORIGINAL(dispatch_barrier_sync);
  if (jobs_current()) return perform_synced(queue, block, true, library);
  library(queue, block);
}

// How code asks whether it runs on a queue of its own. What runs on the pool is on none, although the thread
// is the main one.
void *dispatch_get_specific(const void *key) {
  if (!jobs_current()) {
    ORIGINAL(dispatch_get_specific);
    return library(key);
  }
  void *main = jobs_current()->is_on_main() ? (void *)&_dispatch_main_q : NULL;
  void *value = NULL;
  for (void *at = place ? place->queue : main; at && !value; at = target_of(at)) {
    value = dispatch_queue_get_specific(at, key);
  }
  return value;
}

// What Foundation's `Thread.isMainThread` asks.
bool _CFIsMainThread(void) {
  ORIGINAL(_CFIsMainThread);
  return jobs_current() ? jobs_current()->is_on_main() : library();
}

// Whether the running code is on a queue, or what waits for it is.
static bool is_on(void *queue, bool alone) {
  if (is_main(queue) && jobs_current()->is_on_main()) return true;
  for (struct place *at = place; at; at = at->outer) {
    for (void *its = at->queue; its; its = target_of(its)) {
      if (its == queue && (!alone || at->is_alone || !is_concurrent(queue))) return true;
    }
  }
  return false;
}

// In the library, these end the process.

void dispatch_assert_queue(void *queue) {
  ORIGINAL(dispatch_assert_queue);
  if (!jobs_current()) return library(queue);
  if (!is_on(queue, false)) jobs_current()->failed("dispatchPrecondition(.onQueue)");
}

void dispatch_assert_queue_barrier(void *queue) {
  ORIGINAL(dispatch_assert_queue_barrier);
  if (!jobs_current()) return library(queue);
  if (!is_on(queue, true)) jobs_current()->failed("dispatchPrecondition(.onQueueAsBarrier)");
}

void dispatch_assert_queue_not(void *queue) {
  ORIGINAL(dispatch_assert_queue_not);
  if (!jobs_current()) return library(queue);
  if (is_on(queue, false)) jobs_current()->failed("dispatchPrecondition(.notOnQueue)");
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
  while (is_waiting && jobs_current()->performs_block()) is_waiting = library(item, 0);
  if (!is_waiting) return 0;
  escape(call);
  orders_note_step();
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

// No block is ever given to a run.
void orders_block_perform(void *block, void *queue, bool is_alone) {
  (void)block, (void)queue, (void)is_alone;
}
void orders_block_drop(void *block, void *queue) { (void)block, (void)queue; }
void orders_block_call(void *block) { (void)block; }
void *orders_leave(void) { return NULL; }
void orders_return(void *left) { (void)left; }

#endif
