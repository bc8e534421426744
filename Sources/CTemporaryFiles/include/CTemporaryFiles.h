#ifndef CTEMPORARYFILES_H
#define CTEMPORARYFILES_H

#include <stdbool.h>

// Temporary files and folders of this process, which are removed even if a signal ends it.
//
// Note each one when you create it, and forget it after you have removed it. Signals remove nothing
// until staty_temporaries_remove_on_signals is called: a library may note its files, but only a program
// decides about its signals.

// A database with SQLite's files next to it, or a folder, which is removed only if it is empty.
enum staty_temporary_kind { staty_temporary_database = 1, staty_temporary_folder = 2 };

// Returns the number to pass to staty_temporary_forget, or -1 if the table is full or the path is too
// long.
int staty_temporary_note(const char *path, enum staty_temporary_kind kind);

// Accepts -1.
void staty_temporary_forget(int number);

// Removes all noted files, then the folders. Safe to call from a signal handler.
void staty_temporaries_remove(void);

// From now on SIGINT, SIGTERM and SIGHUP remove the noted files before they end the process, except
// signals that the process ignores.
void staty_temporaries_remove_on_signals(void);

#endif
