#include "COrders.h"

#include <CJobs.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

// The order that is run: pairs of decisions and ways, or the seed of a random one.
#define MOST_TURNS 64
static struct {
  enum { NONE, NAMELESS, PLANNED, RANDOM } kind;
  size_t count;
  uint64_t seed;
  uint32_t turns[2 * MOST_TURNS];
} order;

static const int signals[] = {SIGTRAP, SIGILL, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
static struct sigaction before[sizeof signals / sizeof *signals];

// Nothing can be done if it cannot be written.
static void say(const char *text) {
  ssize_t written = write(STDERR_FILENO, text, strlen(text));
  (void)written;
}

static void say_number(uint64_t number) {
  char digits[24];
  size_t at = sizeof digits - 1;
  digits[at] = 0;
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  say(digits + at);
}

static void say_order(void) {
  if (order.kind == NAMELESS) {
    return say("\nThis happened in a search of orders, in a run that 'repeating:' does not name.\n");
  }
  say("\nThis happened in a search of orders. To repeat it: repeating: \"");
  if (order.kind == RANDOM) {
    say("seed ");
    say_number(order.seed);
  } else if (!order.count) {
    say("usual");
  }
  for (size_t at = 0; at < order.count; at++) {
    if (at) say(" ");
    say_number(order.turns[2 * at]);
    say(":");
    say_number(order.turns[2 * at + 1]);
  }
  say("\"\n");
}

static void tell(int number) {
  if (order.kind != NONE && jobs_is_on()) say_order();
  order.kind = NONE;
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) {
    if (signals[at] == number) sigaction(number, &before[at], NULL);
  }
  // On return the process does again what it crashed at, and the earlier handler sees it. It does not abort
  // again.
  if (number == SIGABRT) raise(number);
}

void orders_note_order(const uint32_t *turns, size_t count) {
  // The beginning of an order is another order.
  if (count > MOST_TURNS) return orders_note_nameless();
  order.count = count;
  if (count) memcpy(order.turns, turns, 2 * count * sizeof *turns);
  order.kind = PLANNED;
}

void orders_note_nameless(void) { order.kind = NAMELESS; }

void orders_note_seed(uint64_t seed) {
  order.count = 0;
  order.seed = seed;
  order.kind = RANDOM;
}

// A step that does not end. A thread of its own counts the seconds: it stands still with the program in a
// debugger, and needs no signal, which the program may use.
static unsigned longest = 60;
static bool is_running;
static uint64_t steps;

// Whether a debugger has the process: then somebody looks at a step, and it takes as long.
static bool is_debugged(void) {
#ifdef __APPLE__
  struct kinfo_proc info = {0};
  size_t size = sizeof info;
  int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()};
  return sysctl(name, 4, &info, &size, NULL, 0) == 0 && info.kp_proc.p_flag & P_TRACED;
#else
  char text[4096];
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[count > 0 ? count : 0] = 0;
  const char *tracer = strstr(text, "TracerPid:\t");
  return tracer && tracer[11] != '0';
#endif
}

static void *watch(void *nothing) {
  (void)nothing;
  uint64_t seen = 0;
  unsigned seconds = 0;
  while (true) {
    struct timespec second = {1, 0};
    nanosleep(&second, NULL);
    uint64_t now = __atomic_load_n(&steps, __ATOMIC_RELAXED);
    bool is_same = __atomic_load_n(&is_running, __ATOMIC_RELAXED) && now == seen;
    seconds = is_same ? seconds + 1 : 0;
    seen = now;
    if (seconds <= __atomic_load_n(&longest, __ATOMIC_RELAXED)) continue;
    if (is_debugged()) {
      seconds = 0;
      continue;
    }
    say("\nA step has not ended for ");
    say_number(seconds);
    say(" seconds: it goes on for ever, or waits for what does not come.");
    if (order.kind != NONE) say_order();
    abort();
  }
}

void orders_limit_steps(unsigned most) { __atomic_store_n(&longest, most, __ATOMIC_RELAXED); }

void orders_note_step(void) { __atomic_fetch_add(&steps, 1, __ATOMIC_RELAXED); }

void orders_watch_steps(bool watches) {
  orders_note_step();
  __atomic_store_n(&is_running, watches, __ATOMIC_RELAXED);
}

// Begins once, before a run: in a run it would be a thread of the app's.
static void begin_watch(void) {
  static bool has_begun;
  if (has_begun) return;
  has_begun = true;
  // The program's signals are for its own threads.
  sigset_t all, earlier;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &earlier);
  pthread_t thread;
  if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &earlier, NULL);
}

void orders_watch_crashes(bool watches) {
  if (watches) begin_watch();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = tell;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) {
    if (watches) sigaction(signals[at], &action, &before[at]);
    else sigaction(signals[at], &before[at], NULL);
  }
}
