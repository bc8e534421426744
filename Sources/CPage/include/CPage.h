#ifndef CPAGE_H
#define CPAGE_H

// The files of the report's page as texts.
const char *staty_page_html(void);
const char *staty_page_css(void);
// The scripts, in the order in which they build on each other.
const char *staty_page_scripts(void);

#endif
