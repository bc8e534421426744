#include "CFaults.h"

int staty_faults_allocator(sqlite3_mem_methods *held) {
  return sqlite3_config(SQLITE_CONFIG_GETMALLOC, held);
}

int staty_faults_set_allocator(const sqlite3_mem_methods *methods) {
  return sqlite3_config(SQLITE_CONFIG_MALLOC, methods);
}

int staty_faults_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

int staty_faults_disable_lookaside(void) {
  return sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}
