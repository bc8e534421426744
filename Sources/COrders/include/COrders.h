#ifndef CORDERS_H
#define CORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a search of orders needs besides the runtime's jobs: blocks that are dispatched, the calls that
// a thread is in, and what a crash has to say.

// Performs a block that a queue was given, and releases both. `is_alone` says whether no other block of
// the queue runs meanwhile.
void orders_block_perform(void *block, void *queue, bool is_alone);
// Releases both without performing the block.
void orders_block_drop(void *block, void *queue);
// Performs a block that its caller keeps.
void orders_block_call(void *block);
// What runs until the return is on no queue that the running code is on: it belongs to another thread.
void *orders_leave(void);
void orders_return(void *left);

// When the next timer fires, of this thread's run loop and of the main one if that is another; 0 if there is
// none.
struct orders_timers {
  double here, main;
};
struct orders_timers orders_next_timers(void);

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
// The run that comes next has other actions or another purpose, so that no order names it.
void orders_note_nameless(void);
void orders_watch_crashes(bool watches);

// Ends the process, with the order that is run, if a step takes longer than so many seconds: 60 at first.
void orders_limit_steps(unsigned seconds);
// Whether a run goes on.
void orders_watch_steps(bool watches);
// A step begins or ends.
void orders_note_step(void);

#endif
