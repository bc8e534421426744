#ifndef STATY_CFAULTS_H
#define STATY_CFAULTS_H

#include <sqlite3.h>

// `sqlite3_config` is variadic, so Swift cannot call it. Each is for before SQLite is first used.

// What SQLite allocates with.
int staty_faults_allocator(sqlite3_mem_methods *held);

// Lets SQLite allocate with something else.
int staty_faults_set_allocator(const sqlite3_mem_methods *methods);

// Lets SQLite not count the memory that it allocates, as Apple's.
int staty_faults_count_no_memory(void);

// Lets every connection allocate all that it needs, and keep no small store of its own.
int staty_faults_disable_lookaside(void);

#endif
