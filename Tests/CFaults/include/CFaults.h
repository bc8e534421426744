#ifndef STATY_CFAULTS_H
#define STATY_CFAULTS_H

#include <sqlite3.h>

// Wrappers of `sqlite3_config`, which is variadic, so Swift cannot call it. Call them before SQLite is used.

// Gets SQLite's allocator.
int staty_faults_allocator(sqlite3_mem_methods *held);

// Replaces SQLite's allocator.
int staty_faults_set_allocator(const sqlite3_mem_methods *methods);

// Makes SQLite not count the memory that it allocates, like Apple's.
int staty_faults_count_no_memory(void);

// Makes every connection allocate all its memory with the allocator, without a buffer of its own.
int staty_faults_disable_lookaside(void);

#endif
