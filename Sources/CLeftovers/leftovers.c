#include "CLeftovers.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

// A handler may find any of it half way, and may take no memory: so all of it is here from the
// beginning, a path is complete before its kind says that it is there, and none is ever freed. Were
// one forgotten and another noted in its place while a handler of another thread reads it, the handler
// would find a mixture of two paths that are both ours, and with that name there is nothing.
enum { most = 256, longest = 1024, free_place = 0, taken_place = -1 };

static struct {
  _Atomic int kind;
  char path[longest];
} leftovers[most];

// The endings of SQLite's files next to a database; none is longer than the room kept behind a path.
static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
enum { longest_ending = 8 };

int staty_leftover_note(const char *path, enum staty_leftover_kind kind) {
  size_t length = strlen(path);
  if (length + longest_ending >= longest) return -1;
  for (int number = 0; number < most; number++) {
    int expected = free_place;
    if (!atomic_compare_exchange_strong(&leftovers[number].kind, &expected, taken_place)) continue;
    memcpy(leftovers[number].path, path, length + 1);
    atomic_store(&leftovers[number].kind, kind);
    return number;
  }
  return -1;
}

void staty_leftover_forget(int number) {
  if (number >= 0 && number < most) atomic_store(&leftovers[number].kind, free_place);
}

static void remove_database(const char *path) {
  char name[longest];
  size_t length = strnlen(path, longest - longest_ending - 1);
  memcpy(name, path, length);
  for (size_t place = 0; place < sizeof endings / sizeof *endings; place++) {
    memcpy(name + length, endings[place], strlen(endings[place]) + 1);
    unlink(name);
  }
}

void staty_leftovers_remove(void) {
  for (int number = 0; number < most; number++) {
    if (atomic_load(&leftovers[number].kind) == staty_leftover_database) {
      remove_database(leftovers[number].path);
    }
  }
  for (int number = 0; number < most; number++) {
    if (atomic_load(&leftovers[number].kind) == staty_leftover_folder) {
      rmdir(leftovers[number].path);
    }
  }
}

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

// It is reset to what ends the process before it is called, and the signal is blocked until it
// returns; then it ends the process, so that the parent process sees the signal.
static void remove_and_end(int signal) {
  staty_leftovers_remove();
  raise(signal);
}

void staty_leftovers_go_with_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = remove_and_end;
  action.sa_flags = SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  for (size_t place = 0; place < sizeof ending / sizeof *ending; place++) {
    sigaddset(&action.sa_mask, ending[place]);
  }
  for (size_t place = 0; place < sizeof ending / sizeof *ending; place++) {
    struct sigaction before;
    // A process that was started with the signal ignored keeps ignoring it.
    if (sigaction(ending[place], NULL, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    sigaction(ending[place], &action, NULL);
  }
}
