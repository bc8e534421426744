#ifndef STATY_CSQLITE_H
#define STATY_CSQLITE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The system's SQLite, and wrappers of what Swift cannot call: variadic functions and macros that
// cast.

// Sets an option of `sqlite3_db_config` that takes an int and an int pointer, and reads it back into
// `held`. A negative `value` only reads.
static inline int staty_sqlite3_db_switch(sqlite3 *db, int option, int value, int *held) {
  return sqlite3_db_config(db, option, value, held);
}

// Call it inside xConnect. Then views and triggers in a file cannot use the table.
static inline int staty_sqlite3_vtab_direct_only(sqlite3 *db) {
  return sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
}

// SQLite copies the bytes before it returns.
static inline sqlite3_destructor_type staty_sqlite3_transient(void) {
  return SQLITE_TRANSIENT;
}

// Makes SQLite count the memory that it allocates, so that a limit on it has an effect. Fails after the
// first use of SQLite in a process.
static inline int staty_sqlite3_count_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1);
}

// The place of the last error in the SQL, in bytes; -1 if it is not known, as before version 3.38.
static inline int staty_sqlite3_error_offset(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(db);
#else
  (void)db;
  return -1;
#endif
}

// Whether there is a NUL among the bytes. Each statement of a long script searches the rest of the
// script, so a loop in Swift would be too slow.
static inline bool staty_sqlite3_has_nul(const void *bytes, size_t count) {
  return count > 0 && memchr(bytes, 0, count) != NULL;
}

// SQLite passes pointers to the `base` members. In C, a pointer to the first member of a struct is a
// pointer to the struct.
struct staty_row_table {
  sqlite3_vtab base;
  void *registration;
};

struct staty_row_cursor {
  sqlite3_vtab_cursor base;
  void *registration;
  int64_t row;
};

#endif
