#include "COrders.h"

#include <dlfcn.h>
#include <time.h>

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
