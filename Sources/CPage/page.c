#include "CPage.h"

// Each compiler that comes with Swift 6.3 has it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char html[] = {
#embed "../StatyReport/Page/page.html"
  , 0};

static const char css[] = {
#embed "../StatyReport/Page/page.css"
  , 0};

static const char scripts[] = {
#embed "../StatyReport/Page/words.js"
  ,
#embed "../StatyReport/Page/session.js"
  ,
#embed "../StatyReport/Page/lanes.js"
  ,
#embed "../StatyReport/Page/why.js"
  ,
#embed "../StatyReport/Page/lists.js"
  ,
#embed "../StatyReport/Page/outcomes.js"
  ,
#embed "../StatyReport/Page/follow.js"
  ,
#embed "../StatyReport/Page/page.js"
  , 0};

const char *staty_page_html(void) {
  return html;
}

const char *staty_page_css(void) {
  return css;
}

const char *staty_page_scripts(void) {
  return scripts;
}
