#include "CStaty.h"

#include <stdlib.h>

_Thread_local struct staty_handling staty_current_handling;

struct staty_outer_handling *staty_handling_keep(struct staty_handling outer) {
  struct staty_outer_handling *kept = malloc(sizeof *kept);
  // Without memory what lies further out is not known to those in here; nothing else is lost.
  if (kept) *kept = (struct staty_outer_handling){outer.numbering, outer.number, outer.further};
  return kept;
}

void staty_handling_drop(struct staty_outer_handling *kept) {
  free(kept);
}

uint64_t staty_handling_find(const struct staty_outer_handling *further, const void *numbering) {
  for (; further; further = further->further) {
    if (further->numbering == numbering) return further->number;
  }
  return 0;
}
