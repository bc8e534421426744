#include "CTemporaryFiles.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

// A signal handler may run at any moment and must not allocate. So the table is static, and an entry's
// kind is stored after its path. If an entry is reused while a handler in another thread reads its path,
// the handler sees a mixture of two paths; no file has that name, so nothing is removed.
enum { most = 256, longest = 1024, unused_entry = 0, reserved_entry = -1 };

static struct {
  _Atomic int kind;
  char path[longest];
} temporaries[most];

// The endings of SQLite's files next to a database.
static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
enum { longest_ending = 8 };

int staty_temporary_note(const char *path, enum staty_temporary_kind kind) {
  size_t length = strlen(path);
  if (length + longest_ending >= longest) return -1;
  for (int number = 0; number < most; number++) {
    int expected = unused_entry;
    if (!atomic_compare_exchange_strong(&temporaries[number].kind, &expected, reserved_entry)) continue;
    memcpy(temporaries[number].path, path, length + 1);
    atomic_store(&temporaries[number].kind, kind);
    return number;
  }
  return -1;
}

void staty_temporary_forget(int number) {
  if (number >= 0 && number < most) atomic_store(&temporaries[number].kind, unused_entry);
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

void staty_temporaries_remove(void) {
  for (int number = 0; number < most; number++) {
    if (atomic_load(&temporaries[number].kind) == staty_temporary_database) {
      remove_database(temporaries[number].path);
    }
  }
  for (int number = 0; number < most; number++) {
    if (atomic_load(&temporaries[number].kind) == staty_temporary_folder) {
      rmdir(temporaries[number].path);
    }
  }
}

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

// SA_RESETHAND has restored the default action, and the signal is blocked until this returns. So the
// raised signal then ends the process, and the parent process sees it.
static void remove_and_end(int signal) {
  staty_temporaries_remove();
  raise(signal);
}

void staty_temporaries_remove_on_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = remove_and_end;
  action.sa_flags = SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  for (size_t place = 0; place < sizeof ending_signals / sizeof *ending_signals; place++) {
    sigaddset(&action.sa_mask, ending_signals[place]);
  }
  for (size_t place = 0; place < sizeof ending_signals / sizeof *ending_signals; place++) {
    struct sigaction before;
    // A process that was started with the signal ignored keeps ignoring it.
    if (sigaction(ending_signals[place], NULL, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    sigaction(ending_signals[place], &action, NULL);
  }
}
