#ifndef CORDERS_H
#define CORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where the Swift runtime's jobs go that one thread enqueues, and the blocks that it dispatches. All
// other threads are left alone.

struct orders_executor {
  void *identity;
  uintptr_t implementation;
};

struct orders_control {
  // A job for the pool of threads, for the main actor, or for the pool after a delay.
  void (*on_pool)(void *job);
  void (*on_main)(void *job);
  void (*after)(void *job, uint64_t nanoseconds);
  // A block for a queue, or (NULL) the main queue. Perform it once, with orders_block_perform.
  void (*dispatched)(void *block, const void *queue, bool is_serial, uint64_t nanoseconds);
  // Performs a block that is ready, of a queue or (NULL) of any but the main one. Returns whether
  // there was one.
  bool (*performs_block)(const void *queue);
  // Performs a block on the main queue at once.
  void (*performs_on_main)(void *block);
  // A call whose effect is not under control.
  void (*escaped)(const char *call);
  // What the main actor's code runs on.
  struct orders_executor main;
};

// Takes the places of the runtime that jobs go through. Returns the name of one that this runtime
// does not have, or that other code has taken since; NULL if all are taken.
const char *orders_install(void);

// From now on until the end, what this thread enqueues goes to `control`.
void orders_begin(const struct orders_control *control);
void orders_end(void);
bool orders_is_on(void);

// What another thread enqueues is offered to `taker` first. It returns whether it has taken the job.
// `owns` says whether the task of a number belongs to a run.
void orders_take_back(bool (*taker)(void *job), bool (*owns)(uint64_t task));

// The runtime's number of the task that a job belongs to; 0 for a job without a task.
uint64_t orders_task_of(void *job);
// Whether a job is a task, and not what an actor does for the tasks that wait for it.
bool orders_is_task(void *job);

void orders_block_perform(void *block);
// The same for a block that its caller keeps.
void orders_block_call(void *block);

// When the next timer of this thread's run loop fires; 0 if there is none.
double orders_next_timer(void);

// The addresses of the calls of this thread, the innermost first. Returns how many there are.
size_t orders_calls(void **addresses, size_t most);
// The mangled name of the program's function that an address is in; NULL if there is none.
const char *orders_function(const void *address);
// Writes a mangled name as it is in the source. Returns whether it could be read and had room.
bool orders_demangle(const char *name, char *text, size_t size);

// Waits for a moment, in real time.
void orders_pause(void);

// The order that is run next, as pairs of decisions and ways, or by its seed. It is written to the
// standard error if the controlled thread crashes while crashes are watched.
void orders_note_order(const uint32_t *turns, size_t count);
void orders_note_seed(uint64_t seed);
void orders_watch_crashes(bool watches);

#endif
