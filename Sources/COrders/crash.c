#include "COrders.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *current_note;
static const int signals[] = {SIGTRAP, SIGILL, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
static struct sigaction before[sizeof signals / sizeof *signals];

static void tell(int number) {
  const char *note = __atomic_exchange_n(&current_note, NULL, __ATOMIC_RELAXED);
  if (note && orders_is_on()) {
    // Nothing can be done if it cannot be written.
    ssize_t written = write(STDERR_FILENO, note, strlen(note));
    (void)written;
  }
  for (size_t at = 0; at < sizeof signals / sizeof *signals; at++) {
    if (signals[at] == number) sigaction(number, &before[at], NULL);
  }
  // On return the process does again what it crashed at, and the earlier handler sees it.
}

void orders_note(const char *note) { __atomic_store_n(&current_note, note, __ATOMIC_RELAXED); }

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
