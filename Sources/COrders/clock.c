#include "COrders.h"

#include <dlfcn.h>
#include <time.h>

struct orders_timers orders_next_timers(void) {
  // Foundation is not linked for this: a program that does not use it has no run loop.
  static void *(*current)(void), *(*main)(void);
  static double (*next)(void *, const void *);
  static const void *const *mode;
  static bool is_looked_up;
  if (!is_looked_up) {
    is_looked_up = true;
    current = (void *(*)(void))dlsym(RTLD_DEFAULT, "CFRunLoopGetCurrent");
    main = (void *(*)(void))dlsym(RTLD_DEFAULT, "CFRunLoopGetMain");
    next = (double (*)(void *, const void *))dlsym(RTLD_DEFAULT, "CFRunLoopGetNextTimerFireDate");
    mode = (const void *const *)dlsym(RTLD_DEFAULT, "kCFRunLoopDefaultMode");
  }
  struct orders_timers timers = {0, 0};
  if (!current || !main || !next || !mode) return timers;
  timers.here = next(current(), *mode);
  if (main() != current()) timers.main = next(main(), *mode);
  return timers;
}

void orders_pause(void) {
  struct timespec moment = {0, 200000};
  nanosleep(&moment, NULL);
}
