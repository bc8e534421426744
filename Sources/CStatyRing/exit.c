// A process that exits by itself was not killed, although nobody has closed its recorders.

#include "staty_ring.h"

#include <pthread.h>
#include <stdlib.h>

// More rings than any process has open; of another, an exit is not noticed.
#define MOST 64
static struct staty_ring *rings[MOST];
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void note_exit(void) {
  pthread_mutex_lock(&turn);
  for (int at = 0; at < MOST; at++) {
    if (rings[at] && !rings[at]->foreign) staty_ring_note_ended(rings[at], staty_ended_clean);
  }
  pthread_mutex_unlock(&turn);
}

static void begin(void) { atexit(note_exit); }

static void replace(struct staty_ring *old, struct staty_ring *new) {
  pthread_mutex_lock(&turn);
  int at = 0;
  while (at < MOST && rings[at] != old) at++;
  if (at < MOST) rings[at] = new;
  pthread_mutex_unlock(&turn);
}

void staty_ring_watch_exit(struct staty_ring *ring) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin);
  replace(NULL, ring);
}

void staty_ring_unwatch_exit(struct staty_ring *ring) { replace(ring, NULL); }
