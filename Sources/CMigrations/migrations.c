#include "CMigrations.h"

// Each compiler that comes with Swift 6.3 has it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char tables[] = {
#embed "../../Migrations/sql/0001_tables.sql"
  , 0};

static const char views[] = {
#embed "../../Migrations/sql/0002_views.sql"
  , 0};

const char *staty_sql_0001_tables(void) {
  return tables;
}

const char *staty_sql_0002_views(void) {
  return views;
}
