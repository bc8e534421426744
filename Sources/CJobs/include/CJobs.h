#ifndef CJOBS_H
#define CJOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where the Swift runtime's jobs go that one thread enqueues, and the blocks that it dispatches. All
// other threads are left alone.

struct jobs_executor {
  void *identity;
  uintptr_t implementation;
};

struct jobs_control {
  // A job for the pool of threads, for the main actor, or for the pool after a delay.
  void (*on_pool)(void *job);
  void (*on_main)(void *job);
  void (*after)(void *job, uint64_t nanoseconds);
  // A block for a queue. `root` is the queue that decides when it comes, or (NULL) the main queue. One that
  // runs alone keeps its place among the others. Perform it once, with orders_block_perform, or drop it
  // with orders_block_drop.
  void (*dispatched)(
      void *block, void *queue, const void *root, bool is_alone, uint64_t nanoseconds);
  // Performs a block that is ready, of any queue but the main one. Returns whether there was one.
  bool (*performs_block)(void);
  // Code comes to a queue with `sync`, and waits for the blocks that are ready now and cannot run meanwhile:
  // they are performed, and none that they dispatch. Returns false if it would wait for ever.
  bool (*enters)(const void *root, bool is_alone);
  void (*leaves)(void);
  // Performs a block on the main queue at once.
  void (*performs_on_main)(void *block);
  // Whether code of the main actor runs.
  bool (*is_on_main)(void);
  // The queue of the running block; NULL if none runs.
  const void *(*queue)(void);
  // A call whose effect is not under control.
  void (*escaped)(const char *call);
  // A condition that does not hold: it would end the process.
  void (*failed)(const char *condition);
  // What the main actor's code runs on.
  struct jobs_executor main;
};

// Takes the places of the runtime that jobs go through. Returns the name of one that this runtime
// does not have, or that other code has taken since; NULL if all are taken.
const char *jobs_install(void);

// From now on until the end, what this thread enqueues goes to `control`.
void jobs_begin(const struct jobs_control *control);
void jobs_end(void);
bool jobs_is_on(void);
// The control of this thread; NULL if there is none.
const struct jobs_control *jobs_current(void);

// The number of jobs that this thread has enqueued since the places were taken: those for the main actor
// while it counts only.
uint64_t jobs_enqueued(void);
// Whether this thread counts from now on; returns whether it did before.
bool jobs_count(bool counts);
// What gets the main actor's jobs of a thread that counts. It passes each on: the runtime asks the main
// actor's executor itself, and no hook.
void jobs_stand_in(struct jobs_executor main);
void jobs_pass_on(void *job);

// What another thread enqueues is offered to `taker` first. It returns whether it has taken the job.
// `owns` says whether the task of a number belongs to a run.
void jobs_take_back(bool (*taker)(void *job), bool (*owns)(uint64_t task));

// Whether this thread runs on an executor now.
bool jobs_runs_on(struct jobs_executor executor);

// The runtime's number of the task that a job belongs to; 0 for a job without a task.
uint64_t jobs_task_of(void *job);
// The number of the task that this thread runs; 0 if it runs none.
uint64_t jobs_current_task(void);
// Whether a job is a task, and not what an actor does for the tasks that wait for it.
bool jobs_is_task(void *job);
// Whether a job is what `Task.yield` waits for.
bool jobs_is_yield(void *job);
// Whether a job is a task that another one waits for before it ends.
bool jobs_is_child(void *job);

#endif
