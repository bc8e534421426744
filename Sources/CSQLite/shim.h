#ifndef STATY_CSQLITE_H
#define STATY_CSQLITE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The system's SQLite, and what Swift cannot say about it itself: variadic calls, and macros
// that cast.

// Sets a switch of `sqlite3_db_config` (any of those that take an int and an int pointer) and
// reads it back into `held`. A negative `value` only reads.
static inline int staty_sqlite3_db_switch(sqlite3 *db, int option, int value, int *held) {
  return sqlite3_db_config(db, option, value, held);
}

// To be called inside xConnect: the table may be used by SQL of the application only, never by
// a view or trigger that a file brings along.
static inline int staty_sqlite3_vtab_direct_only(sqlite3 *db) {
  return sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
}

// "SQLite must copy these bytes before it returns."
static inline sqlite3_destructor_type staty_sqlite3_transient(void) {
  return SQLITE_TRANSIENT;
}

// "These bytes stay where they are until the statement is bound anew, reset or finalized."
static inline sqlite3_destructor_type staty_sqlite3_static(void) {
  return SQLITE_STATIC;
}

// SQLite counts the memory that it allocates, without which a limit on it does nothing. Only before
// the first use of SQLite in a process; later it fails.
static inline int staty_sqlite3_count_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1);
}

// Where in the SQL the last error lies; -1 if that is not known, as before version 3.38.
static inline int staty_sqlite3_error_offset(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(db);
#else
  (void)db;
  return -1;
#endif
}

// Whether there is a NUL among these bytes. Of a text with many statements each looks through all that
// follow it, which is too much for a loop.
static inline bool staty_sqlite3_has_nul(const void *bytes, size_t count) {
  return count > 0 && memchr(bytes, 0, count) != NULL;
}

// SQLite hands back pointers to the `base` members; a pointer to the first member of a C struct is
// a pointer to the struct.
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
