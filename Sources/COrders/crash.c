#include "COrders.h"

#include <CJobs.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

// The order that is run: pairs of decisions and ways, or the seed of a random one.
#define MOST_TURNS 64
static struct {
  bool is_running, is_random, has_no_name;
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
  if (order.has_no_name) {
    return say("\nThis happened in a search of orders, in a run that 'repeating:' does not name.\n");
  }
  say("\nThis happened in a search of orders. To repeat it: repeating: \"");
  if (order.is_random) {
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
  if (order.is_running && jobs_is_on()) say_order();
  order.is_running = false;
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) {
    if (signals[at] == number) sigaction(number, &before[at], NULL);
  }
  // On return the process does again what it crashed at, and the earlier handler sees it.
}

void orders_note_order(const uint32_t *turns, size_t count) {
  // The beginning of an order is another order.
  order.has_no_name = count > MOST_TURNS;
  order.count = order.has_no_name ? 0 : count;
  if (order.count) memcpy(order.turns, turns, 2 * order.count * sizeof *turns);
  order.is_random = false;
  order.is_running = true;
}

void orders_note_nameless(void) {
  order.has_no_name = order.is_running = true;
}

void orders_note_seed(uint64_t seed) {
  order.count = 0;
  order.seed = seed;
  order.has_no_name = false;
  order.is_random = order.is_running = true;
}

void orders_watch_crashes(bool watches) {
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
