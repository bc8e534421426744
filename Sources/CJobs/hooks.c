#include "CJobs.h"

#include <dlfcn.h>
#include <time.h>

#define SWIFT __attribute__((swiftcall))

struct job;
typedef SWIFT void (*enqueue)(struct job *);
typedef SWIFT void (*enqueue_after)(unsigned long long, struct job *);
typedef SWIFT void (*enqueue_at)(long long, long long, long long, long long, int, struct job *);
typedef SWIFT struct jobs_executor (*get_main)(void);
typedef SWIFT bool (*is_main)(struct jobs_executor);

static _Thread_local const struct jobs_control *control;
static _Thread_local uint64_t enqueued;
static _Thread_local bool is_counting;
static struct jobs_executor stand_in;
static bool (*taker)(void *);

extern SWIFT bool swift_task_isCurrentExecutor(struct jobs_executor executor);
bool jobs_runs_on(struct jobs_executor executor) { return swift_task_isCurrentExecutor(executor); }

extern SWIFT uint64_t swift_task_getJobTaskId(void *job);
uint64_t jobs_task_of(void *job) { return swift_task_getJobTaskId(job); }

// The runtime has no function for this: a job's flags follow its header and two words for schedulers,
// and their lowest byte is 0 for a task.
static uint32_t flags_of(void *job) {
  return *(const uint32_t *)((const uint8_t *)job + 4 * sizeof(void *));
}
static uint8_t kind_of(void *job) { return (uint8_t)flags_of(job); }

bool jobs_is_task(void *job) { return kind_of(job) == 0; }
// The runtime's own kinds begin with three of actors.
bool jobs_is_yield(void *job) { return kind_of(job) == 195; }
// The first flag of tasks follows the kind, the priority and eight that are not used.
bool jobs_is_child(void *job) { return kind_of(job) == 0 && flags_of(job) >> 24 & 1; }

extern SWIFT void *swift_task_getCurrent(void);

uint64_t jobs_current_task(void) {
  void *task = swift_task_getCurrent();
  return task ? jobs_task_of(task) : 0;
}

static bool (*owner)(uint64_t);
static struct jobs_executor controlled_main;

static bool is_taken(struct job *job) {
  bool (*take)(void *) = __atomic_load_n(&taker, __ATOMIC_ACQUIRE);
  return take && take(job);
}

static SWIFT void on_pool(struct job *job, enqueue original) {
  enqueued++;
  if (control) control->on_pool(job);
  else if (!is_taken(job)) original(job);
}

static SWIFT void on_main(struct job *job, enqueue original) {
  enqueued++;
  if (control) control->on_main(job);
  else if (!is_taken(job)) original(job);
}

static SWIFT void on_after(unsigned long long delay, struct job *job, enqueue_after original) {
  enqueued++;
  if (control) control->after(job, delay);
  else original(delay, job);
}

#if defined(__APPLE__)
// How sleeps come there. On Linux they ask the default executor.
static SWIFT void on_deadline(
    long long seconds, long long nanoseconds, long long tolerance_seconds,
    long long tolerance_nanoseconds, int clock, struct job *job, enqueue_at original) {
  enqueued++;
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

static SWIFT struct jobs_executor on_get_main(get_main original) {
  if (control) return control->main;
  if (is_counting) return stand_in;
  // Another thread goes on with a task of a run.
  bool (*owns)(uint64_t) = __atomic_load_n(&owner, __ATOMIC_ACQUIRE);
  void *task = owns ? swift_task_getCurrent() : NULL;
  return task && owns(jobs_task_of(task)) ? controlled_main : original();
}

static SWIFT bool on_is_main(struct jobs_executor executor, is_main original) {
  if (control && executor.identity == control->main.identity) return true;
  // A block of another queue is called within the search, which runs on the main actor itself.
  if (control && control->queue() && !control->is_on_main()) return false;
  if (stand_in.identity && executor.identity == stand_in.identity) return true;
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

const char *jobs_install(void) {
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

void jobs_begin(const struct jobs_control *c) {
  controlled_main = c->main;
  control = c;
}
void jobs_end(void) { control = NULL; }
bool jobs_is_on(void) { return control != NULL; }
const struct jobs_control *jobs_current(void) { return control; }

void jobs_stand_in(struct jobs_executor main) { stand_in = main; }
uint64_t jobs_enqueued(void) { return enqueued; }
bool jobs_count(bool counts) {
  bool counted = is_counting;
  is_counting = counts && stand_in.identity;
  return counted;
}

extern SWIFT void swift_task_enqueueMainExecutor(void *job);
void jobs_pass_on(void *job) {
  bool counted = jobs_count(false);
  swift_task_enqueueMainExecutor(job);
  jobs_count(counted);
}

void jobs_take_back(bool (*take)(void *), bool (*owns)(uint64_t)) {
  __atomic_store_n(&taker, take, __ATOMIC_RELEASE);
  __atomic_store_n(&owner, owns, __ATOMIC_RELEASE);
}
