#ifndef CLEFTOVERS_H
#define CLEFTOVERS_H

#include <stdbool.h>

// Files and folders of this process that are to go also when a signal ends it.
//
// Note a file when you make it, and again when it is gone. Nothing happens to them in a process that never
// calls staty_leftovers_go_with_signals: a library may note its files, and only a program decides about its
// signals.

// A database with SQLite's files next to it, or a folder, which is removed if it is empty.
enum staty_leftover_kind { staty_leftover_database = 1, staty_leftover_folder = 2 };

// Notes one; gives the number under which it is forgotten, -1 if it is not noted because there are
// very many or its path is very long.
int staty_leftover_note(const char *path, enum staty_leftover_kind kind);

// Forgets one that has gone; -1 is none.
void staty_leftover_forget(int number);

// Removes all that are noted, the folders last. A signal's handler may call it.
void staty_leftovers_remove(void);

// From now on SIGINT, SIGTERM and SIGHUP remove the noted files before they end the process. A
// signal that the process ignores does nothing.
void staty_leftovers_go_with_signals(void);

#endif
