#include "CStaty.h"

#include <pthread.h>
#include <stdlib.h>

struct staty_turn {
  pthread_mutex_t mutex;
};

struct staty_turn *staty_turn_make(void) {
  struct staty_turn *turn = malloc(sizeof *turn);
  pthread_mutexattr_t attributes;
  // None of these fails with memory left, and without it the program cannot go on.
  if (!turn || pthread_mutexattr_init(&attributes) != 0
      || pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE) != 0
      || pthread_mutex_init(&turn->mutex, &attributes) != 0) {
    abort();
  }
  pthread_mutexattr_destroy(&attributes);
  return turn;
}

void staty_turn_free(struct staty_turn *turn) {
  pthread_mutex_destroy(&turn->mutex);
  free(turn);
}

void staty_turn_take(struct staty_turn *turn) {
  pthread_mutex_lock(&turn->mutex);
}

void staty_turn_give(struct staty_turn *turn) {
  pthread_mutex_unlock(&turn->mutex);
}
