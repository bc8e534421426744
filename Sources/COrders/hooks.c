#include "COrders.h"

#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

#define SWIFT __attribute__((swiftcall))

struct job;
typedef SWIFT void (*enqueue)(struct job *);
typedef SWIFT void (*enqueue_after)(unsigned long long, struct job *);
typedef SWIFT void (*enqueue_at)(long long, long long, long long, long long, int, struct job *);
typedef SWIFT struct orders_executor (*get_main)(void);
typedef SWIFT bool (*is_main)(struct orders_executor);

static _Thread_local const struct orders_control *control;
static bool (*taker)(void *);

extern SWIFT uint64_t swift_task_getJobTaskId(void *job);
uint64_t orders_task_of(void *job) { return swift_task_getJobTaskId(job); }

// The runtime has no function for this: a job's flags follow its header and two words for schedulers,
// and their lowest byte is 0 for a task.
bool orders_is_task(void *job) { return *((const uint8_t *)job + 4 * sizeof(void *)) == 0; }

extern SWIFT void *swift_task_getCurrent(void);
static bool (*owner)(uint64_t);
static struct orders_executor controlled_main;

static bool is_taken(struct job *job) {
  bool (*take)(void *) = __atomic_load_n(&taker, __ATOMIC_ACQUIRE);
  return take && take(job);
}

static SWIFT void on_pool(struct job *job, enqueue original) {
  if (control) control->on_pool(job);
  else if (!is_taken(job)) original(job);
}

static SWIFT void on_main(struct job *job, enqueue original) {
  if (control) control->on_main(job);
  else if (!is_taken(job)) original(job);
}

static SWIFT void on_after(unsigned long long delay, struct job *job, enqueue_after original) {
  if (control) control->after(job, delay);
  else original(delay, job);
}

#if defined(__APPLE__)
// How sleeps come there. On Linux they ask the default executor.
static SWIFT void on_deadline(
    long long seconds, long long nanoseconds, long long tolerance_seconds,
    long long tolerance_nanoseconds, int clock, struct job *job, enqueue_at original) {
  if (control) {
    // The clock that Swift counts with: 1 continues while the machine sleeps.
    clockid_t counted = clock == 1 ? CLOCK_MONOTONIC_RAW : CLOCK_UPTIME_RAW;
    long long now = (long long)clock_gettime_nsec_np(counted);
    long long delay = seconds * 1000000000ll + nanoseconds - now;
    control->after(job, delay > 0 ? (uint64_t)delay : 0);
  } else {
    original(seconds, nanoseconds, tolerance_seconds, tolerance_nanoseconds, clock, job);
  }
}
#endif

static SWIFT struct orders_executor on_get_main(get_main original) {
  if (control) return control->main;
  // Another thread goes on with a task of a run.
  bool (*owns)(uint64_t) = __atomic_load_n(&owner, __ATOMIC_ACQUIRE);
  void *task = owns ? swift_task_getCurrent() : NULL;
  return task && owns(orders_task_of(task)) ? controlled_main : original();
}

static SWIFT bool on_is_main(struct orders_executor executor, is_main original) {
  if (control && executor.identity == control->main.identity) return true;
  return original(executor);
}

static struct {
  const char *name;
  void *function;
  // The runtime's variable, once it was looked up.
  void **place;
} hooks[] = {
  {"swift_task_enqueueGlobal_hook", (void *)on_pool, NULL},
  {"swift_task_enqueueMainExecutor_hook", (void *)on_main, NULL},
  {"swift_task_enqueueGlobalWithDelay_hook", (void *)on_after, NULL},
#if defined(__APPLE__)
  {"swift_task_enqueueGlobalWithDeadline_hook", (void *)on_deadline, NULL},
#endif
  {"swift_task_getMainExecutor_hook", (void *)on_get_main, NULL},
  {"swift_task_isMainExecutor_hook", (void *)on_is_main, NULL},
};

const char *orders_install(void) {
  const char *missing = NULL;
  for (size_t at = 0; at < sizeof hooks / sizeof *hooks; at++) {
    if (!hooks[at].place) {
      hooks[at].place = dlsym(RTLD_DEFAULT, hooks[at].name);
      if (hooks[at].place) *hooks[at].place = hooks[at].function;
    }
    if (!hooks[at].place || *hooks[at].place != hooks[at].function) missing = hooks[at].name;
  }
  return missing;
}

void orders_begin(const struct orders_control *c) {
  controlled_main = c->main;
  control = c;
}
void orders_end(void) { control = NULL; }
bool orders_is_on(void) { return control != NULL; }
void orders_take_back(bool (*take)(void *), bool (*owns)(uint64_t)) {
  __atomic_store_n(&taker, take, __ATOMIC_RELEASE);
  __atomic_store_n(&owner, owns, __ATOMIC_RELEASE);
}

double orders_next_timer(void) {
  // Foundation is not linked for this: a program that does not use it has no run loop.
  static void *(*current)(void);
  static double (*next)(void *, const void *);
  static const void *const *mode;
  static bool is_looked_up;
  if (!is_looked_up) {
    is_looked_up = true;
    current = (void *(*)(void))dlsym(RTLD_DEFAULT, "CFRunLoopGetCurrent");
    next = (double (*)(void *, const void *))dlsym(RTLD_DEFAULT, "CFRunLoopGetNextTimerFireDate");
    mode = (const void *const *)dlsym(RTLD_DEFAULT, "kCFRunLoopDefaultMode");
  }
  return current && next && mode ? next(current(), *mode) : 0;
}

void orders_pause(void) {
  struct timespec moment = {0, 200000};
  nanosleep(&moment, NULL);
}

const struct orders_control *orders_current(void);
const struct orders_control *orders_current(void) { return control; }
