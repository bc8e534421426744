#ifndef CMIGRATIONS_H
#define CMIGRATIONS_H

// The files in Migrations/sql as texts. In C, because its compiler embeds a file at once, and Swift's takes
// seconds for an array of its bytes.
const char *staty_sql_0001_tables(void);
const char *staty_sql_0002_views(void);

#endif
